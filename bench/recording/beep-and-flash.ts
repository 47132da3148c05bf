/// <reference lib="dom" />

/**
 * Runs in a page before its own script: its camera is black and white for a tenth of each second, its microphone hears
 * a tone meanwhile. Both come from one clock.
 */
export function beepAndFlash(): void {
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
    const second = Math.floor(sound.currentTime) + 1
    if (second > beeped) {
      beeped = second
      volume.gain.setValueAtTime(0.8, second)
      volume.gain.setValueAtTime(0, second + 0.1)
    }
    picture.fillStyle = sound.currentTime % 1 < 0.1 ? 'white' : 'black'
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
