import { FramePace } from '../frame-pace.ts'
import { drawPicture, PICTURE_SIZE } from '../pictures.ts'
import { type Backdrop, Compositor } from './compositor.ts'
import { processFrame, processFrames } from './frames.ts'
import type { CoverMessage, FromWorker, ToWorker } from './messages.ts'
import { createSegmenter } from './segmenter.ts'

/** A worker of one camera, which ends with it. */

/** In pixels of the blurred image, a tenth of those of a usual camera. */
const RADIUS = { light: 2, strong: 7 }
/** The interval at which the page is asked for frames where that is necessary. Timers of workers run in hidden tabs, too. */
const FRAME_MS = 33

const page = self as unknown as {
  postMessage(message: FromWorker, transferred?: Transferable[]): void
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null
}

type Start = Extract<ToWorker, { is: 'start' }>

let compositor: Compositor | null = null
let handleFrame: (frame: ImageBitmap | null) => Promise<void> = async () => {}

page.onmessage = ({ data }) => {
  if (data.is === 'start') start(data).catch(fail)
  else if (data.is === 'frame') void handleFrame(data.frame)
  else if (compositor) {
    const { backdrop: before } = compositor
    compositor.backdrop = backdropOf(data)
    if ('picture' in before && before.picture instanceof ImageBitmap) before.picture.close()
  }
}

async function start({ files, cover, budgetMs, streams }: Start): Promise<void> {
  const opened = new Compositor(await createSegmenter(files), backdropOf(cover))
  compositor = opened
  const parts = { compositor: opened, pace: new FramePace(budgetMs) }
  const reportReady = once(() => page.postMessage({ is: 'ready' }))
  if (!streams) return processOnRequest(parts, reportReady)
  page.postMessage({ is: await processFrames(streams.camera, streams.output, parts, reportReady) })
}

/** One frame at a time is between the page and here. */
function processOnRequest(parts: Parameters<typeof processFrame>[2], reportReady: () => void): void {
  let isWaiting = false
  const timer = setInterval(() => {
    if (isWaiting) return
    isWaiting = true
    page.postMessage({ is: 'wanted' })
  }, FRAME_MS)
  handleFrame = async frame => {
    isWaiting = false
    if (!frame) return
    try {
      const drawn = await processFrame(() => frame, frame, parts)
      if (drawn === 'slow') {
        clearInterval(timer)
        page.postMessage({ is: 'slow' })
      } else if (drawn) {
        const bitmap = drawn.transferToImageBitmap()
        page.postMessage({ is: 'frame', frame: bitmap }, [bitmap])
        reportReady()
      }
    } catch {
      clearInterval(timer)
      fail()
    } finally {
      frame.close()
    }
  }
}

function backdropOf({ cover, own }: CoverMessage): Backdrop {
  if (cover === 'own') return own ? { picture: own } : { blur: RADIUS.strong }
  if (cover === 'light' || cover === 'strong') return { blur: RADIUS[cover] }
  const canvas = new OffscreenCanvas(PICTURE_SIZE.width, PICTURE_SIZE.height)
  const drawing = canvas.getContext('2d')
  if (drawing) drawPicture(drawing, cover, canvas.width)
  return { picture: canvas }
}

const fail = () => page.postMessage({ is: 'failed' })

function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}
