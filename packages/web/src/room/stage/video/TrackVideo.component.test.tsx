import { expect, it, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '../../../testing/render.tsx'
import { TrackVideo } from './TrackVideo.tsx'

/** A moving picture, received over a connection. */
async function receivedVideo() {
  const canvas = document.createElement('canvas')
  const drawing = canvas.getContext('2d')
  const timer = setInterval(() => drawing?.fillRect(0, 0, Math.random() * 300, 150), 50)
  const [sent] = canvas.captureStream().getVideoTracks() as [MediaStreamTrack]
  const [from, to] = [new RTCPeerConnection(), new RTCPeerConnection()]
  // Else the page of all tests encodes and decodes it to the end of the run.
  onTestFinished(() => {
    clearInterval(timer)
    for (const connection of [from, to]) connection.close()
  })
  from.onicecandidate = ({ candidate }) => void (candidate && to.addIceCandidate(candidate))
  to.onicecandidate = ({ candidate }) => void (candidate && from.addIceCandidate(candidate))
  const received = new Promise<MediaStreamTrack>(resolve => {
    to.ontrack = ({ track }) => resolve(track)
  })
  const sender = from.addTrack(sent)
  await from.setLocalDescription()
  await to.setRemoteDescription(from.localDescription as RTCSessionDescription)
  await to.setLocalDescription()
  await from.setRemoteDescription(to.localDescription as RTCSessionDescription)
  return { sender, sent, track: await received }
}

it('dims a camera that sends no new frames, until it does again; a screen may stand still', async () => {
  const { sender, sent, track } = await receivedVideo()
  await render(
    <>
      <TrackVideo track={track} label="camera" dimsFrozen />
      <TrackVideo track={track} label="screen" />
    </>,
  )
  const opacityOf = (label: string) => () => getComputedStyle(page.getByLabelText(label).element()).opacity
  const camera = page.getByLabelText('camera').element() as HTMLVideoElement
  await expect.poll(() => camera.videoWidth).toBeGreaterThan(0)
  expect(opacityOf('camera')()).toBe('1')
  await sender.replaceTrack(null)
  await expect.poll(opacityOf('camera')).toBe('0.35')
  expect(opacityOf('screen')()).toBe('1')
  await sender.replaceTrack(sent)
  await expect.poll(opacityOf('camera')).toBe('1')
})
