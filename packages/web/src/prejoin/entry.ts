import type { Devices } from '../devices/devices.ts'
import type { Input } from '../devices/input.ts'

/** With what the visitor comes in. */
export interface Entry {
  displayName: string
  microphone: EntryInput
  camera: EntryInput
  /** Empty for the speaker that the system prefers. */
  speakerId: string
}

interface EntryInput {
  on: boolean
  deviceId: string | null
  track?: MediaStreamTrack
}

export function makeEntry(displayName: string, { microphone, camera, speaker }: Devices): Entry {
  return {
    displayName,
    microphone: readInput(microphone),
    camera: readInput(camera),
    speakerId: speaker.get().id,
  }
}

/** What is not on by now stays off: nobody may be heard or seen by surprise. */
function readInput(input: Input): EntryInput {
  const state = input.get()
  const { deviceId } = input
  if (state.is === 'on') return { on: true, deviceId, track: state.track }
  if (state.is === 'asking') input.turnOff()
  return { on: false, deviceId }
}
