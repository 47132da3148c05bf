import type { CaptureScreen } from '../ports.ts'

/** The browser's own dialogue. Without a sound where the browser or the person gives none. */
export const captureScreen: CaptureScreen = async () => {
  const stream = await navigator.mediaDevices.getDisplayMedia({
    video: { frameRate: { ideal: 15, max: 30 } },
    audio: true,
  })
  const [video] = stream.getVideoTracks()
  if (!video) throw new Error('there is no picture')
  // Text must stay readable; fewer frames are the smaller harm.
  video.contentHint = 'detail'
  return { video, audio: stream.getAudioTracks()[0] ?? null }
}
