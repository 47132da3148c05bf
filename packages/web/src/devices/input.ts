import { Observable } from '../observable.ts'
import type { Choice, Chosen } from './choice.ts'
import { DeviceFailure, type DevicePort, type InputKind } from './port.ts'
import { type DeviceTrouble, isRefusal } from './trouble.ts'

export type InputState =
  | { is: 'off' }
  | { is: 'asking' } // the browser may be showing its question
  | {
      is: 'on'
      track: MediaStreamTrack
      /** The device that this one stands in for, because it is gone or taken. */
      replaces: string | null
      /** The system holds the device back, as during a phone call. */
      interrupted: boolean
    }
  | { is: 'failed'; trouble: DeviceTrouble }

/** A camera or microphone that is wanted or not, and what has become of that. */
export class Input extends Observable<InputState> {
  readonly kind: InputKind
  readonly #port: DevicePort
  readonly #choice: Choice
  /** The open device. A microphone keeps it while it is off, so that it is back at once and no word is lost. */
  #track: MediaStreamTrack | null = null
  #replaces: string | null = null
  /** The device that went away while it was in use. */
  #gone: Chosen | null = null
  /** Which opening is the newest; an older one gives back what it gets. */
  #opening = 0

  constructor(kind: InputKind, port: DevicePort, choice: Choice) {
    super({ is: 'off' })
    this.kind = kind
    this.#port = port
    this.#choice = choice
  }

  get chosen(): Chosen | null {
    return this.#choice.get()
  }

  /** The device in use, or the one that will be. */
  get deviceId(): string | null {
    return this.#track?.getSettings().deviceId ?? this.chosen?.id ?? null
  }

  get #wanted(): Chosen | null {
    return this.chosen ?? this.#gone
  }

  readonly toggle = (): Promise<void> => {
    const { is } = this.get()
    if (is === 'off' || is === 'failed') return this.turnOn()
    this.turnOff()
    return Promise.resolve()
  }

  /** `joint` is a question for both camera and microphone that has already been asked. */
  async turnOn(joint?: Promise<MediaStreamTrack>): Promise<void> {
    // A phone may hold back for ever what it has held back once; another opening gets it again.
    if (!this.#track || this.#track.muted) return this.#open(joint)
    this.#track.enabled = true
    this.#show()
  }

  turnOff(): void {
    this.#opening++
    if (this.kind === 'microphone' && this.#track) this.#track.enabled = false
    else this.#release()
    this.set({ is: 'off' })
  }

  readonly choose = async (device: Chosen): Promise<void> => {
    this.#choice.set(device)
    this.#gone = null
    if (this.get().is === 'off') this.#release()
    else await this.#open()
  }

  readonly tryAgain = (): Promise<void> => this.#open()

  /** Something has changed around the page: maybe a lost one is back, or another can stand in. */
  async look(): Promise<void> {
    const state = this.get()
    if (state.is === 'failed' && (await this.#mayHelp(state.trouble))) return this.#open()
    if (this.#track?.readyState === 'ended') return this.#lost(this.#track)
    if (state.is === 'on' && (state.interrupted || (await this.#hasBetter()))) await this.#open()
  }

  close(): void {
    this.turnOff()
    this.#release()
  }

  async #open(joint?: Promise<MediaStreamTrack>): Promise<void> {
    const opening = ++this.#opening
    this.#release() // first: phones open only one camera at a time
    this.set({ is: 'asking' })
    try {
      const track = await this.#acquire(joint)
      if (opening === this.#opening) this.#hold(track)
      else track.stop()
    } catch (error) {
      const trouble = error instanceof DeviceFailure ? error.trouble : 'failed'
      if (opening === this.#opening) this.set({ is: 'failed', trouble })
    }
  }

  async #acquire(joint: Promise<MediaStreamTrack> | undefined): Promise<MediaStreamTrack> {
    if (!joint) return this.#firstThatWorks()
    try {
      return await joint
    } catch (error) {
      // The other one may have failed; but who has refused is not asked twice.
      const refused = error instanceof DeviceFailure && isRefusal(error.trouble)
      if (refused && (await this.#port.permission(this.kind)) !== 'granted') throw error
      return this.#firstThatWorks()
    }
  }

  /** The wanted device, else the one that the browser prefers, else any other. */
  async #firstThatWorks(): Promise<MediaStreamTrack> {
    const tried = new Set<string | null>()
    const failures: DeviceFailure[] = []
    const wanted = this.#wanted
    for (const next of [() => (wanted ? [wanted.id] : []), () => [null], () => this.#available()])
      for (const id of await next()) {
        if (tried.has(id)) continue
        tried.add(id)
        try {
          const [track] = await this.#port.open({ [this.kind]: id })
          if (track) return track
        } catch (error) {
          if (!(error instanceof DeviceFailure) || isRefusal(error.trouble)) throw error
          failures.push(error)
        }
      }
    // That one is taken says more than that another is not there.
    throw failures.find(({ trouble }) => trouble !== 'missing') ?? failures[0] ?? new DeviceFailure('missing')
  }

  #hold(track: MediaStreamTrack): void {
    this.#track = track
    const { chosen } = this
    const wanted = this.#wanted
    // Chromium's "default" keeps its id and changes its label, which tells what went away.
    const isWanted = wanted?.id === this.deviceId && (chosen !== null || wanted?.label === track.label)
    this.#replaces = isWanted ? null : (wanted?.label ?? null)
    if (isWanted) this.#gone = null
    track.addEventListener('ended', () => void this.#lost(track))
    track.addEventListener('mute', () => this.#show())
    track.addEventListener('unmute', () => this.#show())
    this.#show()
  }

  #show(): void {
    const track = this.#track
    if (track?.enabled) {
      this.set({ is: 'on', track, replaces: this.#replaces, interrupted: track.muted })
    }
  }

  /** Unplugged, taken by another program, or forbidden. */
  async #lost(track: MediaStreamTrack): Promise<void> {
    if (track !== this.#track) return
    this.#gone = { id: this.deviceId ?? '', label: track.label }
    if (this.get().is === 'off') this.#release()
    else await this.#open()
  }

  #release(): void {
    this.#track?.stop()
    this.#track = null
  }

  /** Not while a question would have to be asked that nobody expects. */
  async #mayHelp(trouble: DeviceTrouble): Promise<boolean> {
    return !isRefusal(trouble) || (await this.#port.permission(this.kind)) === 'granted'
  }

  /** The wanted device is back, or the system's own choice has moved, as to a headset just plugged in. */
  async #hasBetter(): Promise<boolean> {
    const { deviceId } = this
    const wanted = this.#wanted?.id ?? deviceId
    const found = (await this.#port.list()).find(({ kind, id }) => kind === this.kind && id === wanted)
    return found !== undefined && (found.id !== deviceId || found.label !== this.#track?.label)
  }

  async #available(): Promise<string[]> {
    const devices = await this.#port.list()
    return devices.filter(({ kind }) => kind === this.kind).map(({ id }) => id)
  }
}
