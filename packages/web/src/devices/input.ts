import { Observable } from '@lectern/common'
import type { DeviceChoice, StoredDeviceChoice } from './device-choice.ts'
import { DeviceFailure, type DevicePort, type InputKind, type RequestedDevices } from './port.ts'
import { type DeviceProblem, isBackground, isRefusal } from './problem.ts'

export type InputState =
  | { is: 'off' }
  | {
      is: 'requesting' // the browser may be showing a prompt
      /** The device is open, and its first frame is being processed. */
      isProcessing?: true
    }
  | {
      is: 'on'
      /** The track to send: the sound of a microphone and the background of a camera may be processed. */
      track: MediaStreamTrack
      /** The name of the device. */
      label: string
      /** Label of the device that this one replaces, because it is missing or in use. */
      replaces: string | null
      /** The system interrupts the device, as during a phone call. */
      interrupted: boolean
    }
  | { is: 'failed'; problem: DeviceProblem }

/** How an input uses the devices of the browser. */
export type InputPort = Pick<DevicePort, 'list' | 'permission'> & {
  open(requested: RequestedDevices): Promise<MediaStreamTrack[]>
  /** Returns the track to send for the device's track. */
  process(device: MediaStreamTrack): MediaStreamTrack | Promise<MediaStreamTrack>
}

/** A camera or microphone that is on or off, and the result of opening it. */
export class Input extends Observable<InputState> {
  readonly kind: InputKind
  readonly #port: InputPort
  readonly #choice: StoredDeviceChoice
  /** The open device. A microphone stays open while it is off, so that it resumes at once. */
  #track: MediaStreamTrack | null = null
  /** The track of the device, or what is made of it. */
  #sent: MediaStreamTrack | null = null
  #replaces: string | null = null
  /** The device that was lost while in use. */
  #lostDevice: DeviceChoice | null = null
  /** Number of the latest opening; an older one releases what it gets. */
  #opening = 0
  /** The latest opening. */
  #opened: Promise<void> = Promise.resolve()

  constructor(kind: InputKind, port: InputPort, choice: StoredDeviceChoice) {
    super({ is: 'off' })
    this.kind = kind
    this.#port = port
    this.#choice = choice
  }

  get chosen(): DeviceChoice | null {
    return this.#choice.get()
  }

  /** The device in use, or the one to be used next. */
  get deviceId(): string | null {
    return this.#track?.getSettings().deviceId ?? this.chosen?.id ?? null
  }

  get #preferred(): DeviceChoice | null {
    return this.chosen ?? this.#lostDevice
  }

  readonly toggle = (): Promise<void> => {
    const { is } = this.get()
    if (is === 'off' || is === 'failed') return this.turnOn()
    this.turnOff()
    return Promise.resolve()
  }

  /** `sharedRequest` is a request for both camera and microphone that is in progress. */
  async turnOn(sharedRequest?: Promise<MediaStreamTrack>): Promise<void> {
    if (this.get().is === 'requesting') return this.#opened // the browser would ask once more
    // Phones may never end an interruption; reopening the device does.
    if (!this.#track || this.#track.muted) return this.#open(sharedRequest)
    this.#setEnabled(true)
    this.#update()
  }

  turnOff(): void {
    this.#opening++
    if (this.kind === 'microphone' && this.#track) this.#setEnabled(false)
    else this.#release()
    this.set({ is: 'off' })
  }

  readonly choose = async (device: DeviceChoice): Promise<void> => {
    this.#choice.set(device)
    this.#lostDevice = null
    await this.reopen()
  }

  /** The device is to be opened in another way, now or when it is turned on. */
  async reopen(): Promise<void> {
    if (this.get().is === 'off') this.#release()
    else await this.#open()
  }

  /** Makes the sent track from the open device again. */
  reprocess(): void {
    if (this.#track) void this.#process(this.#track, this.#opening)
  }

  /** `reprocess` that ends the sent track first: nothing of the room is sent meanwhile. */
  async replace(): Promise<void> {
    const device = this.#track?.clone()
    if (device) await this.#begin(async () => device)
  }

  /** Reports that the sent track has ended, and is not replaced. */
  fail(problem: DeviceProblem): void {
    this.#opening++
    this.#release()
    this.set({ is: 'failed', problem })
  }

  readonly retry = (): Promise<void> => this.#open()

  /** Devices or permissions have changed: a failed or lost device may be available again. */
  async recheck(): Promise<void> {
    const state = this.get()
    if (state.is === 'failed' && (await this.#canRetry(state.problem))) return this.#open()
    if (this.#track?.readyState === 'ended') return this.#onTrackEnded(this.#track)
    if (state.is === 'on' && state.interrupted) return this.#open()
    const better = this.#track && (await this.#findBetter())
    if (better) await this.#changeTo(better)
  }

  close(): void {
    this.turnOff()
    this.#release()
  }

  /** Another program may use the new device: the sent track ends only when the device is open. */
  async #changeTo(id: string): Promise<void> {
    if (this.get().is === 'off') return this.#release() // it is opened when it is turned on
    if (this.get().is !== 'on') return
    const opening = this.#opening
    const [track] = await this.#port.open({ [this.kind]: id }).catch(() => [])
    if (track && opening === this.#opening) await this.#begin(async () => track)
    else track?.stop()
  }

  async #open(sharedRequest?: Promise<MediaStreamTrack>): Promise<void> {
    await this.#begin(opening => this.#acquire(sharedRequest, opening))
  }

  #begin(acquire: (opening: number) => Promise<MediaStreamTrack>): Promise<void> {
    this.#opened = this.#openWith(acquire)
    return this.#opened
  }

  async #openWith(acquire: (opening: number) => Promise<MediaStreamTrack>): Promise<void> {
    const opening = ++this.#opening
    this.#release() // first: phones open only one camera at a time
    this.set({ is: 'requesting' })
    try {
      const track = await acquire(opening)
      if (opening === this.#opening) await this.#setTrack(track, opening)
      else track.stop()
    } catch (error) {
      const problem = error instanceof DeviceFailure ? error.problem : 'failed'
      if (opening === this.#opening) this.fail(problem)
    }
  }

  async #acquire(
    sharedRequest: Promise<MediaStreamTrack> | undefined,
    opening: number,
  ): Promise<MediaStreamTrack> {
    if (!sharedRequest) return this.#openFirstWorking(opening)
    try {
      return await sharedRequest
    } catch (error) {
      // The other device may have failed; but a refused prompt is not repeated.
      const refused = error instanceof DeviceFailure && isRefusal(error.problem)
      if (refused && (await this.#port.permission(this.kind)) !== 'granted') throw error
      return this.#openFirstWorking(opening)
    }
  }

  /** The preferred device, else the browser's default, else any other. */
  async #openFirstWorking(opening: number): Promise<MediaStreamTrack> {
    const tried = new Set<string | null>()
    const failures: DeviceFailure[] = []
    const preferred = this.#preferred
    for (const next of [() => (preferred ? [preferred.id] : []), () => [null], () => this.#available()])
      for (const id of await next()) {
        if (tried.has(id)) continue
        tried.add(id)
        if (opening !== this.#opening) throw new DeviceFailure('failed') // it is off again
        try {
          const [track] = await this.#port.open({ [this.kind]: id })
          if (track) return track
        } catch (error) {
          if (!(error instanceof DeviceFailure) || isRefusal(error.problem)) throw error
          failures.push(error)
        }
      }
    // "In use" is more specific than "missing".
    throw failures.find(({ problem }) => problem !== 'missing') ?? failures[0] ?? new DeviceFailure('missing')
  }

  async #setTrack(track: MediaStreamTrack, opening: number): Promise<void> {
    this.#track = track
    const { chosen } = this
    const preferred = this.#preferred
    // Chromium's "default" device keeps its id and changes its label, so the label shows which device was lost.
    const isPreferred =
      preferred?.id === this.deviceId && (chosen !== null || preferred?.label === track.label)
    this.#replaces = isPreferred ? null : (preferred?.label ?? null)
    if (isPreferred) this.#lostDevice = null
    track.addEventListener('ended', () => void this.#onTrackEnded(track))
    track.addEventListener('mute', () => this.#update())
    track.addEventListener('unmute', () => this.#update())
    await this.#process(track, opening)
  }

  /** Without a wait where the port needs none. */
  async #process(device: MediaStreamTrack, opening: number): Promise<void> {
    let sent = this.#port.process(device)
    if (sent instanceof Promise) {
      this.set({ is: 'requesting', isProcessing: true })
      sent = await sent
      if (opening !== this.#opening) return sent.stop()
    }
    this.#sent = sent
    sent.enabled = device.enabled
    this.#update()
  }

  #update(): void {
    const device = this.#track
    if (!device?.enabled || !this.#sent) return
    const { label, muted: interrupted } = device
    this.set({ is: 'on', track: this.#sent, label, replaces: this.#replaces, interrupted })
  }

  /** Unplugged, taken by another app, or blocked. */
  async #onTrackEnded(track: MediaStreamTrack): Promise<void> {
    if (track !== this.#track) return
    this.#lostDevice = { id: this.deviceId ?? '', label: track.label }
    if (this.get().is === 'off') this.#release()
    else await this.#open()
  }

  #release(): void {
    this.#sent?.stop()
    this.#track?.stop()
    this.#sent = this.#track = null
  }

  #setEnabled(isEnabled: boolean): void {
    for (const track of [this.#track, this.#sent]) if (track) track.enabled = isEnabled
  }

  /** False when a retry would show an unexpected prompt. */
  async #canRetry(problem: DeviceProblem): Promise<boolean> {
    if (isBackground(problem)) return false
    return !isRefusal(problem) || (await this.#port.permission(this.kind)) === 'granted'
  }

  /** The id of the preferred device, if that is back or the system's default has changed, as to a headset just plugged in. */
  async #findBetter(): Promise<string | null> {
    const { deviceId } = this
    const preferred = this.#preferred?.id ?? deviceId
    const found = (await this.#port.list()).find(({ kind, id }) => kind === this.kind && id === preferred)
    return found && (found.id !== deviceId || found.label !== this.#track?.label) ? found.id : null
  }

  async #available(): Promise<string[]> {
    const devices = await this.#port.list()
    return devices.filter(({ kind }) => kind === this.kind).map(({ id }) => id)
  }
}
