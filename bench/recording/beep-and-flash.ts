/// <reference lib="dom" />

/**
 * Runs in a page before its own script: the camera is black, and white for a tenth of each period, during which the
 * microphone has a tone. Both use one clock. The period is slightly more than a second, so that flashes have different
 * offsets to frame boundaries, and many of them give a resolution below the duration of a frame.
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
  const canvas = element.getContext('2d') as CanvasRenderingContext2D
  const camera = element.captureStream(25)

  let beeped = 0
  setInterval(() => {
    const next = Math.floor(sound.currentTime / period) + 1
    if (next > beeped) {
      beeped = next
      volume.gain.setValueAtTime(0.8, next * period)
      volume.gain.setValueAtTime(0, next * period + 0.1)
    }
    canvas.fillStyle = sound.currentTime % period < 0.1 ? 'white' : 'black'
    canvas.fillRect(0, 0, element.width, element.height)
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
