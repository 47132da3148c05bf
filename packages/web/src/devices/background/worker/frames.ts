import type { FramePace } from '../frame-pace.ts'
import type { Compositor } from './compositor.ts'
import { FrameReader } from './frame-reader.ts'

interface FramesParts {
  compositor: Pick<Compositor, 'draw'>
  pace: FramePace
}

/** Draws one frame, which stays the caller's; null: it is dropped, `slow`: the machine has no time for the next ones. */
export async function processFrame(
  read: () => Promise<CanvasImageSource> | CanvasImageSource,
  size: { width: number; height: number },
  { compositor, pace }: FramesParts,
): Promise<OffscreenCanvas | null | 'slow'> {
  if (!pace.isDue()) return null
  const started = performance.now()
  const canvas = compositor.draw(await read(), size)
  return pace.add(performance.now() - started) ? canvas : 'slow'
}

/** Processes a camera's frames until it ends. Closes each of them. Returns why it has ended. */
export async function processFrames(
  camera: ReadableStream<VideoFrame>,
  output: WritableStream<VideoFrame>,
  parts: FramesParts,
  onFrame: () => void,
): Promise<'ended' | 'slow'> {
  const reader = camera.getReader()
  const writer = output.getWriter()
  const frames = new FrameReader()
  try {
    for (;;) {
      const { value: frame, done } = await reader.read()
      if (done) return 'ended'
      const processed = await toFrame(frame, frames, parts)
      if (processed === 'slow') return 'slow'
      if (!processed) continue
      // The output closes what it takes, at once or when it is consumed.
      await writer.write(processed)
      onFrame()
    }
  } finally {
    await Promise.allSettled([reader.cancel(), writer.close()])
  }
}

async function toFrame(
  frame: VideoFrame,
  frames: FrameReader,
  parts: FramesParts,
): Promise<VideoFrame | null | 'slow'> {
  try {
    const { displayWidth: width, displayHeight: height, timestamp } = frame
    const drawn = await processFrame(() => frames.read(frame), { width, height }, parts)
    return drawn instanceof OffscreenCanvas ? new VideoFrame(drawn, { timestamp, alpha: 'discard' }) : drawn
  } finally {
    frame.close()
  }
}
