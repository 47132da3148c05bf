import {
  type AudioProcessing,
  type Device,
  DeviceFailure,
  type DevicePort,
  type InputKind,
  type RequestedDevices,
} from './port.ts'
import type { DeviceProblem } from './problem.ts'

/** The part of a track that the code uses. */
export class FakeTrack extends EventTarget {
  enabled = true
  contentHint = ''
  muted = false
  readyState: MediaStreamTrackState = 'live'
  readonly kind: 'audio' | 'video'
  readonly label: string
  readonly #device: Device

  constructor(device: Device) {
    super()
    this.kind = device.kind === 'camera' ? 'video' : 'audio'
    this.label = device.label
    this.#device = device
  }

  getSettings = () => ({ deviceId: this.#device.id })
  applyConstraints = async () => {}
  clone = () => new FakeTrack(this.#device)

  stop() {
    this.readyState = 'ended'
  }

  interrupt(muted: boolean) {
    this.muted = muted
    this.dispatchEvent(new Event(muted ? 'mute' : 'unmute'))
  }
}

/** Fake devices that the test plugs, unplugs, occupies and blocks. The first of a kind is the default. */
export class FakeDevices implements DevicePort {
  readonly tracks: FakeTrack[] = []
  readonly prompts: InputKind[][] = []
  /** How the newest devices were asked to process sound. */
  processing: AudioProcessing | null = null
  readonly taken = new Set<string>()
  readonly permissions: Record<InputKind, PermissionState | 'unknown'> = {
    camera: 'granted',
    microphone: 'granted',
  }
  /** The user's response to a prompt. */
  answer: PermissionState = 'granted'
  refusal: DeviceProblem = 'refused'
  /** The track as the page gets it. */
  present = (track: FakeTrack) => track as unknown as MediaStreamTrack
  #devices: Device[]
  readonly #listeners = new Set<() => void>()

  constructor(...labels: string[]) {
    this.#devices = labels.map(aDevice)
  }

  open = async (requested: RequestedDevices, processing: AudioProcessing | null = null) => {
    this.processing = processing
    const kinds = Object.keys(requested) as InputKind[]
    this.prompts.push(kinds)
    for (const kind of kinds) if (this.permissions[kind] === 'prompt') this.permissions[kind] = this.answer
    if (kinds.some(kind => this.permissions[kind] === 'denied')) throw new DeviceFailure(this.refusal)
    const found = kinds.map(kind => {
      const id = requested[kind] ?? this.#devices.find(device => device.kind === kind)?.id
      const device = this.#devices.find(each => each.id === id)
      if (!device) throw new DeviceFailure('missing')
      if (this.taken.has(device.id)) throw new DeviceFailure('in_use')
      return new FakeTrack(device)
    })
    this.tracks.push(...found)
    return found.map(this.present)
  }

  process = (track: MediaStreamTrack) => track
  list = async () => [...this.#devices]
  permission = async (kind: InputKind) => this.permissions[kind]

  onChange(listener: () => void) {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  changed() {
    for (const listener of this.#listeners) listener()
  }

  plug(label: string) {
    this.#devices.push(aDevice(label))
    this.changed()
  }

  unplug(label: string) {
    this.#devices = this.#devices.filter(device => device.label !== label)
    for (const track of this.tracks.filter(each => each.label === label && each.readyState === 'live')) {
      track.stop()
      track.dispatchEvent(new Event('ended'))
    }
    this.changed()
  }

  /** The newest track of the kind. */
  last(kind: InputKind): FakeTrack | undefined {
    return this.tracks.findLast(track => track.kind === (kind === 'camera' ? 'video' : 'audio'))
  }

  get live(): string[] {
    return this.tracks.filter(({ readyState }) => readyState === 'live').map(({ label }) => label)
  }
}

/** The first word of an id is the kind. */
export function aDevice(label: string): Device {
  const [kind] = label.split(' ') as [Device['kind']]
  return { kind, id: `id of ${label}`, label }
}
