import type { FramePace } from '../frame-pace.ts'
import type { Compositor } from './compositor.ts'

interface FramesParts {
  compositor: Pick<Compositor, 'draw'>
  pace: FramePace
}

/** Draws one frame, which stays the caller's; null: it is dropped, `slow`: the machine has no time for the next ones. */
export function processFrame(
  frame: CanvasImageSource,
  size: { width: number; height: number },
  { compositor, pace }: FramesParts,
): OffscreenCanvas | null | 'slow' {
  if (!pace.isDue()) return null
  const started = performance.now()
  const canvas = compositor.draw(frame, size)
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
  try {
    for (;;) {
      const { value: frame, done } = await reader.read()
      if (done) return 'ended'
      const processed = toFrame(frame, parts)
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

function toFrame(frame: VideoFrame, parts: FramesParts): VideoFrame | null | 'slow' {
  try {
    const { displayWidth: width, displayHeight: height, timestamp } = frame
    const drawn = processFrame(frame, { width, height }, parts)
    return drawn instanceof OffscreenCanvas ? new VideoFrame(drawn, { timestamp, alpha: 'discard' }) : drawn
  } finally {
    frame.close()
  }
}
