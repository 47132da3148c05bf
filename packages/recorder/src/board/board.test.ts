import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodePoints, type PaintContext, paintContent, paintPaper } from '@lectern/board'
import type { BoardElement, BoardPage } from '@lectern/protocol/control/client'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ffmpegArguments } from '../compose/command.ts'
import { prepareScene, sceneOf } from '../compose/compose-video.ts'
import { LARGE_BOARD, layOut } from '../compose/layout.ts'
import { planScenes } from '../compose/scenes.ts'
import { PresenceHistory } from '../session/presence-history.ts'
import { collected } from '../testing/board.ts'
import { COMPOSED_WITHIN_MS } from '../testing/call.ts'
import { annexB } from '../testing/inspect-media.ts'
import { writeBoardFiles } from './board-files.ts'
import type { Images } from './board-images.ts'
import { BoardLog } from './board-log.ts'
import { BoardPictures } from './board-pictures.ts'
import { pictureOf } from './page-files.ts'

vi.setConfig({ testTimeout: COMPOSED_WITHIN_MS })

const START = 1_000_000
const SIZE = { width: 960, height: 540 }
const page = (page_id: string): BoardPage => ({
  page_id,
  width: 1600,
  height: 900,
  background: { kind: 'squared' },
})
const PAGES = [page('page0001'), page('page0002')]
const index = (shown_page_id: string | null) => ({
  pages: PAGES,
  shown_page_id,
  rights: { mode: 'everybody' as const },
})

let z = 0
/** A wide horizontal stroke. */
function stroke(
  id: string,
  y: number,
  { color = '#a2382c', duration_ms = 0, version = 1 } = {},
): BoardElement {
  const points = Array.from({ length: 60 }, (_, at) => [200 + at * 20, y, 0] as const)
  return {
    ...{ element_id: id, version, author_id: '7', z: z++, kind: 'stroke' },
    data: { points: encodePoints(points), color, width: 40, duration_ms },
  }
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-board-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const NO_IMAGES: Images = { fetch: async () => {}, load: async () => null }

let logs = 0
/** The log of a board, and what a lesson does with it. */
async function lesson(act: (log: BoardLog) => void, images: Images = NO_IMAGES): Promise<BoardPictures> {
  const place = join(folder, String(logs++))
  await mkdir(place)
  const log = new BoardLog(place)
  log.changed(index('page0001'), START)
  log.opened('page0001', [], START)
  act(log)
  log.write()
  return new BoardPictures(log.file, images)
}

const put = (log: BoardLog, element: BoardElement, atMs: number, pageId = 'page0001') =>
  log.happened(pageId, 'board.elements', { elements: [element] as never }, START + atMs)

/** The brightness at a place of the page, beside the rules of the paper, in a picture of it. */
function luma(i420: Buffer, x: number, y: number): number {
  return i420[Math.round((y + 8) * 0.6) * SIZE.width + Math.round((x + 8) * 0.6)] as number
}
const PAPER = 235

const onFailure = (path: string, error: unknown) => expect.fail(`${path}: ${error}`)

describe('the pictures of a board', () => {
  it('show a stroke while it grows, and cost nothing while nothing changes', async () => {
    const board = await lesson(log => put(log, stroke('one', 400, { duration_ms: 2_000 }), 4_000))
    board.read(START + 10_000)
    const pictures = await collected(board.pictures(START, 200, SIZE))
    const at = (frame: number) => pictures.findLast(each => each.frame <= frame)?.i420 as Buffer
    expect(pictures[0]?.frame).toBe(0)
    expect(pictures.every(({ frame }) => frame === 0 || (frame >= 50 && frame <= 105))).toBe(true)
    expect(luma(at(45), 300, 400)).toBe(PAPER)
    expect(luma(at(75), 300, 400), 'after half of the time').toBeLessThan(150)
    expect(luma(at(75), 1200, 400)).toBe(PAPER)
    expect(luma(at(105), 1200, 400), 'at its end').toBeLessThan(150)
  })

  it('show a stroke as others saw it grow, whatever the pen did in between', async () => {
    const element = stroke('one', 400, { duration_ms: 8_000 })
    // A half in the first second, a rest, and the other half in the last one.
    const grown = {
      one: [
        [1, START + 1_000],
        ...Array.from({ length: 10 }, (_, at) => [3 * (at + 1), START + 1_100 + 100 * at]),
        [30, START + 4_000],
        [50, START + 8_000],
      ],
    }
    const board = await lesson(log =>
      log.happened('page0001', 'board.elements', { elements: [element] as never, grown }, START + 9_000),
    )
    board.read(START + 10_000)
    const pictures = await collected(board.pictures(START, 250, SIZE))
    const at = (ms: number) => pictures.findLast(each => each.frame * 40 <= ms)?.i420 as Buffer
    expect(luma(at(800), 220, 400)).toBe(PAPER)
    expect(luma(at(1_600), 400, 400)).toBeLessThan(150)
    expect(luma(at(1_600), 760, 400)).toBe(PAPER)
    for (const ms of [2_200, 7_600]) {
      expect(luma(at(ms), 740, 400), `${ms}`).toBeLessThan(150)
      expect(luma(at(ms), 860, 400), `${ms}`).toBe(PAPER)
    }
    expect(luma(at(8_200), 1_100, 400), 'drawn just before it was seen').toBeLessThan(150)
    expect(luma(at(9_000), 1_300, 400)).toBeLessThan(150)
  })

  it('show what is erased, moved and brought back, in their order', async () => {
    const [below, above] = [stroke('below', 400), stroke('above', 400, { color: '#ffffff' })]
    const board = await lesson(log => {
      put(log, below, 100)
      put(log, above, 200)
      log.happened(
        'page0001',
        'board.deleted',
        { elements: [{ element_id: 'above', version: 2 }] },
        START + 1_000,
      )
      log.happened(
        'page0001',
        'board.moved',
        { dx: 0, dy: 300, elements: [{ element_id: 'below', version: 2 }] },
        START + 2_000,
      )
      put(log, { ...above, version: 3 }, 3_000)
    })
    board.read(START + 10_000)
    const pictures = await collected(board.pictures(START, 100, SIZE))
    const at = (frame: number) => pictures.findLast(each => each.frame <= frame)?.i420 as Buffer
    expect(luma(at(20), 600, 400), 'covered').toBe(PAPER)
    expect(luma(at(30), 600, 400)).toBeLessThan(150)
    expect(luma(at(55), 600, 400)).toBe(PAPER)
    expect(luma(at(55), 600, 700)).toBeLessThan(150)
    expect(luma(at(80), 600, 700)).toBeLessThan(150)
  })

  it('show all of a line that is longer than the width of its text, and nothing of it when it is gone', async () => {
    const long = {
      ...{ element_id: 'long', version: 1, author_id: '7', z: 1, kind: 'text' },
      data: { x: 100, y: 300, width: 10, text: 'MMMMMMMMMM', size: 100, color: '#000000' },
    } as BoardElement
    const board = await lesson(log => {
      put(log, long, 100)
      const elements = [{ element_id: 'long', version: 2 }]
      log.happened('page0001', 'board.deleted', { elements }, START + 1_000)
    })
    board.read(START + 10_000)
    const pictures = await collected(board.pictures(START, 100, SIZE))
    const at = (frame: number) => pictures.findLast(each => each.frame <= frame)?.i420 as Buffer
    const darkest = (i420: Buffer) =>
      Math.min(...Array.from({ length: 100 }, (_, x) => luma(i420, 500 + x, 350)))
    expect(darkest(at(0))).toBeGreaterThan(190)
    expect(darkest(at(20))).toBeLessThan(100)
    expect(darkest(at(50))).toBe(darkest(at(0)))
  })

  it('are the same from the middle on as from the beginning', async () => {
    const act = (log: BoardLog) => {
      for (let i = 0; i < 40; i++) put(log, stroke(`stroke${i}`, 50 + i * 20), i * 200)
      log.changed(index('page0002'), START + 9_000)
      log.opened('page0002', [stroke('two', 300)], START + 9_000)
      log.changed(index('page0001'), START + 11_000)
    }
    const [whole, late] = [await lesson(act), await lesson(act)]
    whole.read(START + 20_000)
    const first = await collected(whole.pictures(START, 500, SIZE))
    late.read(START + 20_000)
    late.release(START + 8_000)
    const second = await collected(late.pictures(START + 8_000, 300, SIZE))
    for (const frame of [0, 40, 90, 299]) {
      const one = first.findLast(each => each.frame <= frame + 200)?.i420 as Buffer
      const other = second.findLast(each => each.frame <= frame)?.i420 as Buffer
      expect(Buffer.compare(one, other), `frame ${frame}`).toBe(0)
    }
  })

  it('continue after a kill in the middle of a line, and with what was there after a reconnect', async () => {
    const place = join(folder, 'killed')
    await mkdir(place)
    const before = new BoardLog(place)
    before.changed(index('page0001'), START)
    before.opened('page0001', [], START)
    put(before, stroke('one', 200), 100)
    before.write()
    await writeFile(before.file, '{"at_ms":1000', { flag: 'a' })
    const after = new BoardLog(place)
    after.changed(index('page0001'), START + 2_000)
    after.opened('page0001', [stroke('one', 200), stroke('two', 600)], START + 2_000)
    after.write()
    const board = new BoardPictures(after.file, NO_IMAGES)
    board.read(START + 10_000)
    const pictures = await collected(board.pictures(START + 1_000, 100, SIZE))
    expect(luma(pictures[0]?.i420 as Buffer, 600, 200)).toBeLessThan(150)
    expect(luma(pictures[0]?.i420 as Buffer, 600, 600)).toBe(PAPER)
    expect(luma(pictures.at(-1)?.i420 as Buffer, 600, 600)).toBeLessThan(150)
  })
})

describe('a composed recording', () => {
  const presence = new PresenceHistory()
  presence.add(START - 1, 'p1', {
    ...{ participant_id: 'p1', user_id: '1', display_name: 'Anna', role: 'moderator', joined_at_ms: START },
  })
  const screen = {
    ...{ file: 'screen.rtp', participantId: 'p1', source: 'screen' },
    visible: {
      all: [{ fromMs: START + 10_000, toMs: START + 20_000 }],
      includes: (atMs: number) => atMs >= START + 10_000 && atMs < START + 20_000,
    },
  }

  it('has the board or the screen in the large tile, whichever was used last', async () => {
    const board = await lesson(log => {
      put(log, stroke('one', 200), 4_000)
      put(log, stroke('two', 400), 15_000)
      log.changed(index(null), START + 25_000)
    })
    board.read(START + 60_000)
    const scenes = planScenes(0, 750, START, presence, [screen as never], board)
    expect(scenes.map(({ from, tiles }) => [from, tiles[0]?.is])).toEqual([
      [0, 'board'],
      [250, 'screen'],
      [375, 'board'],
      [625, 'face'],
    ])
  })

  it('has no board before it was opened, whenever a stroke began', async () => {
    const board = await lesson(log => {
      log.changed(index(null), START + 1_000)
      log.changed(index('page0001'), START + 5_000)
      put(log, stroke('one', 200, { duration_ms: 3_000 }), 6_000)
    })
    board.read(START + 10_000)
    const scenes = planScenes(0, 250, START, presence, [], board)
    expect(scenes.map(({ from, tiles }) => [from, tiles[0]?.is])).toEqual([
      [0, 'board'],
      [25, 'face'],
      [125, 'board'],
    ])
    for (const { from, to, tiles } of scenes.filter(scene => scene.tiles[0]?.is === 'board')) {
      const pictures = await collected(board.pictures(START + from * 40, to - from, tiles[0] as never))
      expect(pictures[0]?.frame, 'a scene without a first picture fails').toBe(0)
    }
  })

  it('shows the page as everybody saw it', async () => {
    const elements = [stroke('one', 200), stroke('two', 400, { color: '#1f5fa8' })]
    const board = await lesson(log => {
      for (const [at, element] of elements.entries()) put(log, element, 100 * at)
    })
    board.read(START + 10_000)
    const tiles = layOut([], LARGE_BOARD)
    const scene = { from: 25, to: 75, tiles }
    const step = await prepareScene(folder, 'scene', scene, START, new Map(), board)
    execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...ffmpegArguments([step])], { cwd: folder })
    const packets = await sceneOf(join(folder, 'scene.mkv'), scene)
    expect(packets).toHaveLength(50)
    await writeFile(join(folder, 'scene.h264'), annexB(packets))
    const seek = ['-i', 'scene.h264', '-vf', 'select=eq(n\\,40)', '-frames:v', '1', '-y', 'frame.png']
    execFileSync('ffmpeg', ['-v', 'error', ...seek], { cwd: folder })
    const frame = createCanvas(1280, 720).getContext('2d')
    frame.drawImage(await loadImage(join(folder, 'frame.png')), 0, 0)
    const tile = tiles[0] as { x: number; y: number; width: number; height: number }
    const drawn = createCanvas(tile.width, tile.height).getContext('2d')
    drawn.scale(tile.width / 1600, tile.width / 1600)
    paintPaper(drawn as PaintContext, page('page0001'), { x: 0, y: 0, width: 1600, height: 900 })
    for (const element of elements) paintContent(drawn as PaintContext, element)
    const seen = frame.getImageData(tile.x, tile.y, tile.width, tile.height).data
    const wanted = drawn.getImageData(0, 0, tile.width, tile.height).data
    let difference = 0
    for (let i = 0; i < seen.length; i++) difference += Math.abs((seen[i] as number) - (wanted[i] as number))
    expect(difference / seen.length).toBeLessThan(4)
  })

  it('leaves the pages that were used, as pictures, as a document and as data, with chapters', async () => {
    const board = join(folder, 'files')
    await mkdir(board)
    const log = new BoardLog(board)
    log.changed(index('page0001'), START)
    log.opened('page0001', [], START)
    put(log, stroke('one', 200), 1_000)
    log.changed(index('page0002'), START + 5_000)
    log.opened('page0002', [stroke('two', 300)], START + 5_000)
    log.changed(index('page0001'), START + 9_000)
    log.write()
    const times = { startedAtMs: START, endedAtMs: START + 20_000, images: NO_IMAGES, onFailure }
    const { artifacts, chapters } = await writeBoardFiles(log.file, board, times)
    expect(artifacts.map(({ path }) => path)).toEqual([
      'board/page-01.png',
      'board/page-02.png',
      'board.pdf',
      'board.json',
    ])
    expect(chapters.sort((a, b) => a.from_ms - b.from_ms)).toEqual([
      { kind: 'page', from_ms: 0, to_ms: 5_000, page: 1 },
      { kind: 'page', from_ms: 5_000, to_ms: 9_000, page: 2 },
      { kind: 'page', from_ms: 9_000, to_ms: 20_000, page: 1 },
    ])
    const picture = await loadImage(join(board, 'board/page-01.png'))
    expect([picture.width, picture.height]).toEqual([1920, 1080])
    expect(readFileSync(join(board, 'board.pdf')).subarray(0, 5).toString()).toBe('%PDF-')
    expect(execFileSync('pdfinfo', [join(board, 'board.pdf')], { encoding: 'utf8' })).toMatch(/Pages:\s+2/)
    const data = JSON.parse(readFileSync(join(board, 'board.json'), 'utf8'))
    expect(data.pages.map((each: { elements: object[] }) => each.elements.length)).toEqual([1, 1])
  })

  it('leaves out what cannot be drawn, and says so', async () => {
    const board = join(folder, 'partly')
    await mkdir(board)
    const log = new BoardLog(board)
    log.changed(index('page0001'), START)
    const data = { file_id: `b_${'0'.repeat(32)}`, x: 0, y: 0, width: 100, height: 100 }
    log.opened('page0001', [{ ...stroke('one', 200), kind: 'image', data }], START)
    log.changed(index('page0002'), START + 5_000)
    log.opened('page0002', [stroke('two', 300)], START + 5_000)
    log.write()
    const images = { ...NO_IMAGES, load: () => Promise.reject(new Error('no memory')) }
    const failed: unknown[] = []
    const times = { startedAtMs: START, endedAtMs: START + 20_000, images }
    const { artifacts, chapters } = await writeBoardFiles(log.file, board, {
      ...times,
      onFailure: (path, error) => failed.push([path, String(error)]),
    })
    expect(artifacts.map(({ path }) => path)).toEqual(['board/page-02.png', 'board.json'])
    expect(chapters).toHaveLength(2)
    expect(failed).toEqual([
      ['board/page-01.png', 'Error: no memory'],
      ['board.pdf', 'Error: no memory'],
    ])
  })

  it('knows which pages it has followed, also for the next attempt', async () => {
    const place = join(folder, 'followed')
    await mkdir(place)
    const log = new BoardLog(place)
    expect(log.followedPages()).toEqual([])
    log.changed(index('page0001'), START)
    for (const id of ['page0001', 'page0002', 'page0001']) log.opened(id, [stroke('one', 200)], START)
    log.write()
    expect(new BoardLog(place).followedPages()).toEqual(['page0002', 'page0001'])
  })

  it('leaves a picture that fits into the memory of a page that is a hundred times as high as wide', async () => {
    const narrow = { ...page('page0001'), width: 100, height: 10_000 }
    const picture = await loadImage(await pictureOf({ page: narrow, elements: [] }, NO_IMAGES))
    expect([picture.width, picture.height]).toEqual([38, 3840])
  })

  it('leaves no file of a board that was not opened', async () => {
    const unused = join(folder, 'unused')
    await mkdir(unused)
    const log = new BoardLog(unused)
    log.changed(index(null), START)
    log.write()
    const times = { startedAtMs: START, endedAtMs: START + 20_000, images: NO_IMAGES, onFailure }
    expect(await writeBoardFiles(log.file, unused, times)).toEqual({ artifacts: [], chapters: [] })
  })
})
