import type { DeviceProblem } from './problem.ts'

export type InputKind = 'camera' | 'microphone'
export type DeviceKind = InputKind | 'speaker'

export interface Device {
  kind: DeviceKind
  id: string
  label: string
}

/** Which devices to open: by id, or null for the default one. */
export type RequestedDevices = Partial<Record<InputKind, string | null>>

/** The browser's processing of the sound of a microphone. */
export interface AudioProcessing {
  echoCancellation: boolean
  noiseSuppression: boolean
  autoGainControl: boolean
  /** Absent: the browser decides. */
  channelCount?: number
}

/** The media devices of a browser. */
export interface DevicePort {
  /** Opens all of them, with at most one prompt. Rejects with a DeviceFailure. */
  open(requested: RequestedDevices, audio: AudioProcessing): Promise<MediaStreamTrack[]>
  /** The devices with labels: none before permission is granted. */
  list(): Promise<Device[]>
  /** The state of the permission, including the policy of an embedding page. */
  permission(kind: InputKind): Promise<PermissionState | 'unknown'>
  /**
   * Calls the listener when devices or permissions change, or the page becomes visible. Returns the function that
   * unsubscribes.
   */
  onChange(listener: () => void): () => void
}

export class DeviceFailure extends Error {
  override name = 'DeviceFailure'
  readonly problem: DeviceProblem

  constructor(problem: DeviceProblem, options?: ErrorOptions) {
    super(problem, options)
    this.problem = problem
  }
}
