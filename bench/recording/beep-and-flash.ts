/// <reference lib="dom" />

/**
 * Runs in a page before its own script: its camera is black and white for a tenth of each second, its microphone hears
 * a tone meanwhile. Both come from one clock. It is a little more than a second, which would be a whole number of
 * pictures: each flash falls elsewhere between two of them, so that many together tell more than one picture lasts.
 */
export function beepAndFlash(): void {
  const period = 1.007
  const sound = new AudioContext({ sampleRate: 48_000 })
  const tone = new OscillatorNode(sound, { frequency: 1_000 })
  const volume = new GainNode(sound, { gain: 0 })
  const microphone = sound.createMediaStreamDestination()
  tone.connect(volume).connect(microphone)
  tone.start()
  const element = document.createElement('canvas')
  element.width = 640
  element.height = 360
  const picture = element.getContext('2d') as CanvasRenderingContext2D
  const camera = element.captureStream(25)

  let beeped = 0
  setInterval(() => {
    const next = Math.floor(sound.currentTime / period) + 1
    if (next > beeped) {
      beeped = next
      volume.gain.setValueAtTime(0.8, next * period)
      volume.gain.setValueAtTime(0, next * period + 0.1)
    }
    picture.fillStyle = sound.currentTime % period < 0.1 ? 'white' : 'black'
    picture.fillRect(0, 0, element.width, element.height)
  }, 10)

  navigator.mediaDevices.getUserMedia = async ({ audio, video } = {}) => {
    await sound.resume()
    const tracks = [
      ...(audio ? microphone.stream.getAudioTracks() : []),
      ...(video ? camera.getVideoTracks() : []),
    ]
    return new MediaStream(tracks.map(track => track.clone()))
  }
}
