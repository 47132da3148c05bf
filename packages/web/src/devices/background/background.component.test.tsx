import { describe, expect, it, onTestFinished } from 'vitest'
import type { Cover } from './choice.ts'
import type { EffectProblem } from './effect.ts'
import { FramePace } from './frame-pace.ts'
import { loadFiles, startPipeline } from './pipeline.ts'
import { openCanvasRoute, openRoute } from './routes.ts'
import { contrastOf, mostMagenta, openDrawnCamera, readFrames } from './testing/drawn-camera.ts'
import { Compositor } from './worker/compositor.ts'
import { FrameReader } from './worker/frame-reader.ts'
import { processFrames } from './worker/frames.ts'
import { createSegmenter } from './worker/segmenter.ts'

interface Options {
  route: typeof openRoute
  camera?: ReturnType<typeof openDrawnCamera>
  budgetMs?: number
}

/** However slow the machine is, unless the test says otherwise. */
async function start(cover: Cover, options: Options) {
  const { route, camera = openDrawnCamera(), budgetMs = Number.POSITIVE_INFINITY } = options
  const problems: EffectProblem[] = []
  const report = (problem: EffectProblem) => problems.push(problem)
  const running = await startPipeline(camera.track, cover, report, { budgetMs, openRoute: route })
  onTestFinished(() => {
    running.track.stop()
    camera.close()
  })
  return { ...running, camera, problems }
}

/** One that is left open has 230 kB. */
const FRAMES = 120

/** A difference of a colour, of 255. Colours of neighbouring pixels mix a little, also in the camera. */
const TRACES = 40

describe.each([
  ['of Chromium', openRoute],
  ['of other browsers', openCanvasRoute],
])('the background, by the route %s,', (_, route) => {
  it('hides every pixel of the room, from the first frame on, while the person moves', async () => {
    const { track, camera, problems } = await start('plants', { route })
    const [room] = await readFrames(camera.track, 1)
    expect(room && mostMagenta(room)).toBeGreaterThan(200)
    const frames = await readFrames(track, 25)
    for (const frame of frames) expect(mostMagenta(frame)).toBeLessThan(TRACES)
    expect([frames[0]?.width, frames[0]?.height]).toEqual([640, 360])
    expect(problems).toEqual([])
  })

  it('follows a camera that is turned', async () => {
    const { track, camera } = await start('plants', { route })
    Object.assign(camera.canvas, { width: 360, height: 640 })
    await expect.poll(async () => (await readFrames(track, 1))[0]?.height).toBe(640)
    for (const frame of await readFrames(track, 5)) expect(mostMagenta(frame)).toBeLessThan(TRACES)
    expect(track.getSettings()).toMatchObject({ width: 360, height: 640 })
  })

  it('is stopped when even a fourth of the frames takes too long', async () => {
    const { track, problems } = await start('light', { route, budgetMs: 0 })
    await expect.poll(() => problems).toEqual(['background_slow'])
    expect(track.readyState).toBe('ended')
  })
})

describe('the blur', () => {
  it('leaves no detail of the room', async () => {
    const camera = openDrawnCamera({ pattern: '#00ff00' })
    const [room] = await readFrames(camera.track, 1)
    expect(room && contrastOf(room)).toBeGreaterThan(200)
    const { track, change } = await start('strong', { route: openRoute, camera })
    for (const frame of await readFrames(track, 3)) expect(contrastOf(frame)).toBeLessThan(12)
    change('light')
    for (const frame of await readFrames(track, 10)) expect(contrastOf(frame)).toBeLessThan(25)
  })
})

describe('the frames of a camera', () => {
  it('are all closed, and take no further memory', async () => {
    const { canvas, close } = openDrawnCamera({ width: 320, height: 180 })
    onTestFinished(close)
    const files = await loadFiles()
    const segmenter = await createSegmenter(files)
    const frames: VideoFrame[] = []
    const output: VideoFrame[] = []
    let open = 0
    const camera = new ReadableStream<VideoFrame>(
      {
        pull(controller) {
          if (frames.length === FRAMES) return controller.close()
          const frame = new VideoFrame(canvas, { timestamp: frames.length * 33_000 })
          frames.push(frame)
          open = Math.max(open, frames.filter(({ format }) => format !== null).length)
          controller.enqueue(frame)
        },
      },
      { highWaterMark: 0 },
    )
    const sink = new WritableStream<VideoFrame>({
      write(frame) {
        output.push(frame)
        frame.close()
      },
    })
    const before = segmenter.memoryBytes()
    const compositor = new Compositor(segmenter, { blur: 7 })
    const pace = new FramePace(Number.POSITIVE_INFINITY)
    expect(await processFrames(camera, sink, { compositor, pace }, () => {})).toBe('ended')
    expect([frames.length, output.length, open]).toEqual([FRAMES, FRAMES, 1])
    expect(frames.filter(({ format }) => format !== null)).toEqual([])
    expect(segmenter.memoryBytes()).toBe(before)
  })

  it('are read, as drawn ones would stay in memory', async () => {
    const { canvas, close } = openDrawnCamera({ width: 320, height: 180 })
    onTestFinished(close)
    const [plain, turned] = [undefined, { rotation: 90 }].map(
      parts => new VideoFrame(canvas, { timestamp: 0, ...parts }),
    ) as [VideoFrame, VideoFrame]
    const reader = new FrameReader()
    const read = await reader.read(plain)
    expect(read).toBeInstanceOf(OffscreenCanvas)
    const pixels = (image: CanvasImageSource) => {
      const drawing = new OffscreenCanvas(320, 180).getContext('2d')
      drawing?.drawImage(image, 0, 0)
      return drawing?.getImageData(0, 0, 320, 180).data
    }
    expect(pixels(read)).toEqual(pixels(plain))
    // Reading leaves it as the camera has it, drawing turns it.
    expect(await reader.read(turned)).toBe(turned)
    for (const frame of [plain, turned]) frame.close()
  })
})
