import type { CaptureScreen } from '../ports.ts'

/** Opens the browser's dialog. `audio` is null when the browser or the user shares none. */
export const captureScreen: CaptureScreen = async () => {
  const stream = await navigator.mediaDevices.getDisplayMedia({
    video: { frameRate: { ideal: 15, max: 30 } },
    audio: true,
  })
  const [video] = stream.getVideoTracks()
  if (!video) throw new Error('there is no picture')
  // Readable text matters more than the frame rate.
  video.contentHint = 'detail'
  return { video, audio: stream.getAudioTracks()[0] ?? null }
}
