import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BoardElement, BoardIndex, BoardPage } from '@lectern/protocol/control/client'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ffmpegArguments } from '../compose/command.ts'
import { prepareScene, sceneOf } from '../compose/compose-video.ts'
import { LARGE_BOARD, layOut } from '../compose/layout.ts'
import { collected } from '../testing/board.ts'
import { COMPOSED_WITHIN_MS } from '../testing/call.ts'
import { annexB } from '../testing/inspect-media.ts'
import { writeBoardFiles } from './board-files.ts'
import { BoardImages, withPictures } from './board-images.ts'
import { BoardLog } from './board-log.ts'
import { BoardPictures } from './board-pictures.ts'

vi.setConfig({ testTimeout: COMPOSED_WITHIN_MS })

const START = 1_000_000
const SIZE = { width: 960, height: 540 }
const PAGE: BoardPage = {
  ...{ page_id: 'page0001', width: 1600, height: 900 },
  background: { kind: 'document', file_id: 'b_slides', page_number: 2 },
}
const INDEX: BoardIndex = { pages: [PAGE], shown_page_id: 'page0001', rights: { mode: 'everybody' } }
/** In the middle of the right half. */
const IMAGE: BoardElement = {
  ...{ element_id: 'image001', version: 1, author_id: '7', z: 1, kind: 'image' },
  data: { x: 1000, y: 300, width: 400, height: 300, file_id: 'b_photo' },
}
const SLIDE = '/api/v1.0/files/b_slides/pages/2/1920'
const PHOTO = '/api/v1.0/files/b_photo/pages/1/1920'

function picture(color: string): Buffer {
  const context = createCanvas(192, 108).getContext('2d')
  context.fillStyle = color
  context.fillRect(0, 0, 192, 108)
  return context.canvas.toBuffer('image/png')
}

let folder: string
let place: string
let nowMs = START
/** The files that the server has. */
let files: Map<string, Buffer>
let requested: string[]
const failed = vi.fn()
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-images-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(async () => {
  place = mkdtempSync(join(folder, 'recording-'))
  files = new Map([
    [SLIDE, picture('#00ff00')],
    [PHOTO, picture('#0000ff')],
  ])
  requested = []
  failed.mockClear()
})

const openImages = () =>
  new BoardImages({
    folder: join(place, 'board-images'),
    download: async (path, file) => {
      requested.push(path)
      const bytes = files.get(path)
      if (!bytes) throw new Error(`${path}: HTTP 404`)
      await writeFile(file, bytes)
    },
    failed,
    clock: () => nowMs,
  })

/** A lesson in which somebody places the image on a slide. */
function lesson(images: BoardImages): BoardLog {
  const log = new BoardLog(place)
  const listener = withPictures(log, images)
  listener.changed(INDEX, START)
  listener.opened('page0001', [], START)
  listener.happened('page0001', 'board.elements', { elements: [IMAGE] as never }, START + 1_000)
  log.write()
  return log
}

type Rgb = [number, number, number]
const GREEN: Rgb = [0, 255, 0]
const BLUE: Rgb = [0, 0, 255]

async function colorIn(file: string | Buffer, x: number, y: number): Promise<Rgb> {
  const image = await loadImage(file)
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  const [red = 0, green = 0, blue = 0] = context.getImageData(x, y, 1, 1).data
  return [red, green, blue]
}

const isNear = (color: Rgb, wanted: Rgb) =>
  color.every((value, at) => Math.abs(value - (wanted[at] as number)) < 12)

/** A place of the page in a picture of the tile: its brightness. */
const luma = (i420: Buffer | undefined, x: number, y: number): number =>
  i420?.[Math.round((y + 8) * 0.6) * SIZE.width + Math.round((x + 8) * 0.6)] as number
const [LUMA_GREEN, LUMA_BLUE, LUMA_GREY] = [144, 41, 214]

describe('the pictures of files on a board', () => {
  it('are in the picture, the document and a frame of the encoded video', async () => {
    const images = openImages()
    const log = lesson(images)
    await mkdir(join(place, 'output'))
    const onFailure = (path: string, error: unknown) => expect.fail(`${path}: ${error}`)
    const times = { startedAtMs: START, endedAtMs: START + 20_000, images, onFailure }
    await writeBoardFiles(log.file, join(place, 'output'), times)
    const png = readFileSync(join(place, 'output/board/page-01.png'))
    expect(await colorIn(png, 300, 300)).toEqual(GREEN)
    expect(await colorIn(png, 1440, 540)).toEqual(BLUE)
    const drawn = join(place, 'document')
    execFileSync('pdftocairo', ['-png', '-singlefile', join(place, 'output/board.pdf'), drawn])
    const { width } = await loadImage(`${drawn}.png`)
    const scale = width / 1600
    expect(isNear(await colorIn(`${drawn}.png`, 250 * scale, 250 * scale), GREEN)).toBe(true)
    expect(isNear(await colorIn(`${drawn}.png`, 1200 * scale, 450 * scale), BLUE)).toBe(true)

    const board = new BoardPictures(log.file, images)
    board.read(START + 10_000)
    const tiles = layOut([], LARGE_BOARD)
    const scene = { from: 50, to: 75, tiles }
    const step = await prepareScene(place, 'scene', scene, START, new Map(), board)
    execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...ffmpegArguments([step])], { cwd: place })
    await writeFile(join(place, 'scene.h264'), annexB(await sceneOf(join(place, 'scene.mkv'), scene)))
    const seek = ['-i', 'scene.h264', '-vf', 'select=eq(n\\,20)', '-frames:v', '1', '-y', 'frame.png']
    execFileSync('ffmpeg', ['-v', 'error', ...seek], { cwd: place })
    const [tile] = tiles
    const at = (x: number, y: number) =>
      [
        (tile?.x ?? 0) + (x * (tile?.width ?? 0)) / 1600,
        (tile?.y ?? 0) + (y * (tile?.height ?? 0)) / 900,
      ] as const
    const frame = join(place, 'frame.png')
    expect(isNear(await colorIn(frame, ...at(250, 250)), GREEN)).toBe(true)
    expect(isNear(await colorIn(frame, ...at(1200, 450)), BLUE)).toBe(true)
  })

  it('are grey while they cannot be loaded, are tried again later, and are reported once', async () => {
    files.clear()
    const images = openImages()
    const board = new BoardPictures(lesson(images).file, images)
    board.read(START + 10_000)
    const before = (await collected(board.pictures(START + 2_000, 50, SIZE))).at(-1)?.i420
    expect(luma(before, 250, 250)).toBe(LUMA_GREY)
    expect(luma(before, 1200, 450)).toBe(LUMA_GREY)
    files.set(PHOTO, picture('#0000ff'))
    await collected(board.pictures(START + 2_000, 50, SIZE))
    expect(requested, 'not at once').toHaveLength(2)
    nowMs += 5_000
    const image = (await collected(board.pictures(START + 2_000, 50, SIZE))).at(-1)?.i420
    expect([luma(image, 250, 250), luma(image, 1200, 450)]).toEqual([LUMA_GREY, LUMA_BLUE])
    files.set(SLIDE, picture('#00ff00'))
    nowMs += 5_000
    const both = (await collected(board.pictures(START + 2_000, 50, SIZE))).at(-1)?.i420
    expect([luma(both, 250, 250), luma(both, 1200, 450)]).toEqual([LUMA_GREEN, LUMA_BLUE])
    expect(failed).toHaveBeenCalledTimes(2)
  })

  it('are on the disk for the next attempt, also when the files are gone', async () => {
    const first = openImages()
    const log = lesson(first)
    await first.fetch([])
    await expect.poll(() => requested.length).toBe(2)
    await expect
      .poll(async () => (await first.load({ fileId: 'b_photo', pageNumber: 1 })) !== null)
      .toBe(true)
    await expect
      .poll(async () => (await first.load({ fileId: 'b_slides', pageNumber: 2 })) !== null)
      .toBe(true)
    files.clear()
    const board = new BoardPictures(log.file, openImages())
    board.read(START + 10_000)
    const shown = (await collected(board.pictures(START + 2_000, 50, SIZE))).at(-1)?.i420
    expect([luma(shown, 250, 250), luma(shown, 1200, 450)]).toEqual([LUMA_GREEN, LUMA_BLUE])
    expect(requested).toHaveLength(2)
  })

  it('are not downloaded again and again when they cannot be decoded', async () => {
    files.set(SLIDE, Buffer.from('not a picture'))
    const images = openImages()
    const board = new BoardPictures(lesson(images).file, images)
    board.read(START + 10_000)
    for (let times = 0; times < 5; times++) await collected(board.pictures(START + 2_000, 50, SIZE))
    expect(requested.filter(path => path === SLIDE).length).toBeLessThanOrEqual(2)
    files.set(SLIDE, picture('#00ff00'))
    nowMs += 5_000
    const image = (await collected(board.pictures(START + 2_000, 50, SIZE))).at(-1)?.i420
    expect(luma(image, 250, 250)).toBe(LUMA_GREEN)
  })

  it('that a death of the machine has cut off are downloaded again', async () => {
    await mkdir(join(place, 'board-images'))
    await writeFile(join(place, 'board-images/b_photo-1'), '')
    const images = openImages()
    const photo = { fileId: 'b_photo', pageNumber: 1 }
    expect(await images.load(photo)).toBeNull()
    await images.fetch([photo])
    expect((await images.load(photo))?.width).toBe(192)
  })
})
