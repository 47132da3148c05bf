import type { FromWorker, ToWorker } from './worker/messages.ts'

/** How frames get from the camera to the worker and back. */
export interface FrameRoute {
  track: MediaStreamTrack
  /** For the worker; null: it asks. */
  streams: Extract<ToWorker, { is: 'start' }>['streams']
  onMessage(message: FromWorker): void
  close(): void
}

type Send = (message: ToWorker, transferred?: Transferable[]) => void

interface Insertable {
  MediaStreamTrackProcessor: new (options: {
    track: MediaStreamTrack
    maxBufferSize: number
  }) => { readable: ReadableStream<VideoFrame> }
  MediaStreamTrackGenerator: new (options: {
    kind: 'video'
  }) => MediaStreamTrack & { writable: WritableStream<VideoFrame> }
}

/** Chromium gives a camera's frames to the worker directly. */
export function openRoute(device: MediaStreamTrack, send: Send): FrameRoute {
  const { MediaStreamTrackProcessor, MediaStreamTrackGenerator } = window as unknown as Partial<Insertable>
  if (!MediaStreamTrackProcessor || !MediaStreamTrackGenerator) return openCanvasRoute(device, send)
  const { readable: camera } = new MediaStreamTrackProcessor({ track: device, maxBufferSize: 1 })
  const track = new MediaStreamTrackGenerator({ kind: 'video' })
  return { track, streams: { camera, output: track.writable }, onMessage: () => {}, close: () => {} }
}

/** Firefox and Safari: the page takes pictures of a video, and plays the worker's in a canvas. */
export function openCanvasRoute(device: MediaStreamTrack, send: Send): FrameRoute {
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  video.srcObject = new MediaStream([device])
  void video.play().catch(() => {})
  const canvas = document.createElement('canvas')
  const drawing = canvas.getContext('2d')
  const [track] = canvas.captureStream().getVideoTracks()
  if (!drawing || !track) throw new Error('no canvas')
  let isClosed = false
  let shownAt = -1

  const sendFrame = async () => {
    const isNew = video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && video.currentTime !== shownAt
    shownAt = video.currentTime
    const frame = isNew ? await createImageBitmap(video).catch(() => null) : null
    if (isClosed) frame?.close()
    else send({ is: 'frame', frame }, frame ? [frame] : [])
  }
  const show = (frame: ImageBitmap) => {
    const { width, height } = frame
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
    drawing.drawImage(frame, 0, 0)
    frame.close()
  }
  return {
    track,
    streams: null,
    onMessage(message) {
      if (message.is === 'wanted') void sendFrame()
      if (message.is === 'frame') show(message.frame)
    },
    close() {
      isClosed = true
      video.srcObject = null
    },
  }
}
