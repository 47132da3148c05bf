import { readFileSync } from 'node:fs'
import type { BrowserContext } from 'playwright-core'

/** Gives the pages a camera that shows a picture, and a microphone with a quiet tone. */
export async function useDrawnCamera(context: BrowserContext, portrait: string): Promise<void> {
  const image = `data:image/png;base64,${readFileSync(portrait).toString('base64')}`
  await context.addInitScript(drawCamera, image)
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
}
