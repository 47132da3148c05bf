import { readFileSync } from 'node:fs'
import type { BrowserContext } from 'playwright-core'

/** Gives the pages a camera that shows a picture, and a microphone with a quiet tone. */
export async function useDrawnCamera(context: BrowserContext, portrait: string): Promise<void> {
  const image = `data:image/png;base64,${readFileSync(portrait).toString('base64')}`
  await context.addInitScript(drawCamera, image)
}

/** As where somebody has blocked camera and microphone. */
export async function blockCamera(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const { mediaDevices } = navigator
    if (!mediaDevices) return
    mediaDevices.getUserMedia = () => Promise.reject(new DOMException('blocked', 'NotAllowedError'))
  })
}

/** Runs in the page, before its scripts. */
function drawCamera(image: string): void {
  const { mediaDevices } = navigator
  if (!mediaDevices) return
  mediaDevices.getUserMedia = async ({ video, audio } = {}) => {
    const tracks: MediaStreamTrack[] = []
    if (video) {
      const picture = Object.assign(new Image(), { src: image })
      await picture.decode()
      const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 })
      const drawing = canvas.getContext('2d')
      // A canvas that does not change sends nothing.
      setInterval(() => drawing?.drawImage(picture, 0, 0), 200)
      tracks.push(...canvas.captureStream(5).getVideoTracks())
    }
    if (audio) {
      const sound = new AudioContext()
      const output = sound.createMediaStreamDestination()
      const [tone, volume] = [sound.createOscillator(), sound.createGain()]
      volume.gain.value = 0.02
      tone.connect(volume).connect(output)
      tone.start()
      tracks.push(...output.stream.getAudioTracks())
    }
    return new MediaStream(tracks)
  }
  mediaDevices.getDisplayMedia = async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 1600, height: 900 })
    const drawing = canvas.getContext('2d')
    setInterval(() => {
      if (!drawing) return
      drawing.fillStyle = '#fff'
      drawing.fillRect(0, 0, 1600, 900)
      drawing.fillStyle = '#222'
      drawing.font = '64px serif'
      drawing.fillText('Reported speech', 120, 160)
      drawing.font = '44px serif'
      drawing.fillText('“I am tired,” she said. → She said that she … tired.', 120, 280)
    }, 200)
    return canvas.captureStream(5)
  }
}
