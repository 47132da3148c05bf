import { execFileSync } from 'node:child_process'
import { encodePoints } from '@lectern/board'
import type { BoardElement } from '@lectern/protocol/control/client'
import { BoardLog } from '../board/board-log.ts'
import { BoardPictures } from '../board/board-pictures.ts'
import { ffmpegArguments } from '../compose/command.ts'
import { prepareScene, sceneOf } from '../compose/compose-video.ts'
import { LARGE_BOARD, layOut } from '../compose/layout.ts'
import { FPS } from '../compose/video-format.ts'

const START_MS = 1_000_000
const CHUNK_SECONDS = 30
const STROKE_MS = 600
const PAGE_ID = 'page0001'

interface Lesson {
  /** Of the files, which are not removed. */
  folder: string
  seconds: number
  /** On the page before it. */
  strokes: number
  /** Between the beginnings of two strokes. */
  everyMs: number
}

/** Seconds of CPU time for each second of a recording of the board, drawing and encoding included. */
export async function boardCost({ folder, seconds, strokes, everyMs }: Lesson): Promise<number> {
  const page = { page_id: PAGE_ID, width: 1_600, height: 900, background: { kind: 'squared' as const } }
  const log = new BoardLog(folder)
  log.changed({ pages: [page], shown_page_id: PAGE_ID, rights: { mode: 'everybody' } }, START_MS)
  const before = Array.from({ length: strokes }, (_, at) => aStroke(`before-${at}`, at))
  log.opened(PAGE_ID, before, START_MS)
  for (let atMs = STROKE_MS; atMs < seconds * 1_000; atMs += everyMs) {
    const elements = [aStroke(`during-${atMs}`, strokes + atMs)]
    log.happened(PAGE_ID, 'board.elements', { elements: elements as never }, START_MS + atMs)
  }
  log.write()
  const board = new BoardPictures(log.file, { fetch: async () => {}, load: async () => null })
  const tiles = layOut([], LARGE_BOARD)
  const begun = process.cpuUsage()
  let encoding = 0
  for (let from = 0; from < seconds; from += CHUNK_SECONDS) {
    const to = Math.min(from + CHUNK_SECONDS, seconds)
    board.read(START_MS + (to + 3) * 1_000)
    const scene = { from: from * FPS, to: to * FPS, tiles }
    const step = await prepareScene(folder, 'scene', scene, START_MS, new Map(), board)
    const all = ['-benchmark', '-nostdin', '-y', ...ffmpegArguments([step])]
    // It prints its own CPU time to standard error.
    const said = execFileSync('sh', ['-c', 'exec ffmpeg "$@" 2>&1', 'sh', ...all], {
      cwd: folder,
      encoding: 'utf8',
    })
    const [, user = '0', system = '0'] = /utime=([\d.]+)s stime=([\d.]+)s/.exec(said) ?? []
    encoding += Number(user) + Number(system)
    await sceneOf(`${folder}/scene.mkv`, scene)
    board.release(START_MS + to * 1_000)
  }
  const { user, system } = process.cpuUsage(begun)
  return ((user + system) / 1_000_000 + encoding) / seconds
}

function aStroke(element_id: string, at: number): BoardElement {
  const [x, y] = [(at * 37) % 1_400, (at * 91) % 850]
  const points = Array.from({ length: 40 }, (_, i) => [x + 4 * i, y + 30 * Math.sin(i / 3), 0] as const)
  const data = { points: encodePoints(points), color: '#1c2a2b', width: 4, duration_ms: STROKE_MS }
  return { element_id, version: 1, author_id: '7', z: at, kind: 'stroke', data }
}
