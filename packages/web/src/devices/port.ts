import type { DeviceTrouble } from './trouble.ts'

export type InputKind = 'camera' | 'microphone'
export type DeviceKind = InputKind | 'speaker'

export interface Device {
  kind: DeviceKind
  id: string
  label: string
}

/** Which devices to open: by id, or null for the one that the browser prefers. */
export type RequestedDevices = Partial<Record<InputKind, string | null>>

/** What a browser offers of devices, in our own words. */
export interface DevicePort {
  /** Opens all of them, with one question to the visitor, or none: rejects with a DeviceFailure. */
  open(wanted: RequestedDevices): Promise<MediaStreamTrack[]>
  /** The devices that may be named: none before the visitor has given leave. */
  list(): Promise<Device[]>
  /** What the visitor, or the page around a frame, has said so far. */
  permission(kind: InputKind): Promise<PermissionState | 'unknown'>
  /**
   * Something was plugged, unplugged, allowed or forbidden, or the page is seen again. Returns the way to stop
   * listening.
   */
  onChange(listener: () => void): () => void
}

export class DeviceFailure extends Error {
  override name = 'DeviceFailure'
  readonly trouble: DeviceTrouble

  constructor(trouble: DeviceTrouble, options?: ErrorOptions) {
    super(trouble, options)
    this.trouble = trouble
  }
}
