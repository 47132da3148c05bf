import { FakeDevices } from '../devices/testing.ts'

/** Tracks that the elements of a page can play, without a device. */

let context: AudioContext | undefined

function pictureTrack(width: number, height: number): MediaStreamTrack {
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const drawing = canvas.getContext('2d')
  const [track] = canvas.captureStream().getVideoTracks()
  drawing?.fillRect(0, 0, width, height)
  return track as MediaStreamTrack
}

function silentTrack(): MediaStreamTrack {
  context ??= new AudioContext()
  return context.createMediaStreamDestination().stream.getAudioTracks()[0] as MediaStreamTrack
}

/** A picture of the given size, or silence. */
export const playableTrack = (kind: 'audio' | 'video', width = 320, height = 180): MediaStreamTrack =>
  kind === 'video' ? pictureTrack(width, height) : silentTrack()

/** Fake devices whose tracks a page can play. */
export function playableDevices(...labels: string[]): FakeDevices {
  const devices = new FakeDevices(...labels)
  devices.present = fake => {
    const track = playableTrack(fake.kind)
    fake.addEventListener('ended', () => track.dispatchEvent(new Event('ended')))
    const stop = () => {
      MediaStreamTrack.prototype.stop.call(track)
      fake.stop()
    }
    return Object.defineProperties(track, {
      label: { value: fake.label },
      getSettings: { value: fake.getSettings },
      stop: { value: stop },
    })
  }
  return devices
}
