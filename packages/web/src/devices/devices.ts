import { StoredValue } from '../stored-value.ts'
import { CameraBackground } from './background/camera-background.ts'
import type { Background } from './background/choice.ts'
import { type BackgroundEffect, noBackground } from './background/effect.ts'
import { StoredDeviceChoice } from './device-choice.ts'
import { DeviceList } from './device-list.ts'
import { Input, type InputPort } from './input.ts'
import { Level, type MeterTrack } from './level.ts'
import { MicrophoneMode, type NoiseSuppression, SPEECH } from './microphone-mode.ts'
import { type NoiseSuppressor, noSuppressor } from './noise-suppressor.ts'
import { DeviceFailure, type DevicePort, type InputKind } from './port.ts'
import { isBackground } from './problem.ts'
import { Speaker } from './speaker.ts'

/** The user's camera, microphone and speaker, from the prejoin screen to the end of the call. */
export class Devices {
  readonly camera: Input
  readonly microphone: Input
  readonly microphoneMode: MicrophoneMode
  readonly background: CameraBackground
  readonly speaker: Speaker
  readonly level: Level
  readonly list: DeviceList
  readonly #port: InputPort & Pick<DevicePort, 'onChange'>
  readonly #suppressor: NoiseSuppressor
  #stopListening: (() => void) | null = null
  #closings = 0

  constructor(
    port: DevicePort,
    listen: MeterTrack,
    storage: () => Storage,
    suppressor: NoiseSuppressor = noSuppressor,
    effect: BackgroundEffect = noBackground,
  ) {
    const stored = (name: string) => new StoredValue(`lectern.${name}`, storage)
    const choice = (kind: string) => new StoredDeviceChoice(stored(kind))
    const mode = new MicrophoneMode(
      { noise: stored('noise-suppression'), music: stored('music-mode') },
      suppressor,
    )
    const background = new CameraBackground(stored('background'), effect)
    this.microphoneMode = mode
    this.background = background
    this.#suppressor = suppressor
    this.#port = {
      open: async requested => {
        const closings = this.#closings
        const processing = requested.microphone === undefined ? SPEECH : await mode.prepare()
        // Whoever has left meanwhile is asked for nothing.
        if (closings !== this.#closings) throw new DeviceFailure('failed')
        return port.open(requested, processing)
      },
      list: () => port.list(),
      permission: kind => port.permission(kind),
      onChange: listener => port.onChange(listener),
      process: track => (track.kind === 'audio' ? mode : background).process(track),
    }
    this.list = new DeviceList(port)
    this.camera = new Input('camera', this.#port, choice('camera'))
    this.microphone = new Input('microphone', this.#port, choice('microphone'))
    this.speaker = new Speaker(choice('speaker'), this.list)
    this.level = new Level(this.microphone, listen)
    background.onProblem = problem => this.camera.fail(problem)
    suppressor.onChange(isRunning => mode.handleRunning(isRunning) && this.microphone.reprocess())
    // Device labels become available once a device is open.
    for (const input of [this.camera, this.microphone]) input.subscribe(() => void this.#refresh())
  }

  /** From `start()` to `close()`. */
  get inUse(): boolean {
    return this.#stopListening !== null
  }

  async start(kinds = { camera: true, microphone: true }): Promise<void> {
    this.#stopListening ??= this.#port.onChange(() => void this.#onDeviceChange())
    if (kinds.camera && kinds.microphone) return this.turnBothOn()
    if (kinds.camera) await this.camera.turnOn()
    if (kinds.microphone) await this.microphone.turnOn()
  }

  /** With one permission prompt where possible. */
  readonly turnBothOn = async (): Promise<void> => {
    const tracks = this.#openBoth()
    const trackOf = async (kind: 'audio' | 'video') => {
      const track = (await tracks).find(each => each.kind === kind)
      if (!track) throw new DeviceFailure('missing')
      return track
    }
    await Promise.all([this.camera.turnOn(trackOf('video')), this.microphone.turnOn(trackOf('audio'))])
  }

  readonly suppressNoise = (noise: NoiseSuppression): void => {
    this.microphoneMode.chooseNoise(noise)
    void this.microphone.reopen()
  }

  readonly playMusic = (isMusic: boolean): void => {
    this.microphoneMode.chooseMusic(isMusic)
    void this.microphone.reopen()
  }

  /** Also where the last one has failed, and stopped the camera with it. */
  readonly changeBackground = (background: Background): void => {
    const mustProcess = this.background.choose(background)
    const state = this.camera.get()
    if (state.is === 'failed' && isBackground(state.problem)) void this.camera.retry()
    else if (mustProcess) void this.camera.replace()
  }

  /** Releases all devices. */
  close(): void {
    this.#closings++
    this.#stopListening?.()
    this.#stopListening = null
    this.camera.close()
    this.microphone.close()
    this.#suppressor.close()
  }

  async #openBoth(): Promise<MediaStreamTrack[]> {
    const inputKinds: InputKind[] = ['camera', 'microphone']
    const permissions = await Promise.all(inputKinds.map(kind => this.#port.permission(kind)))
    // The browser would refuse both because one is blocked, so each device is opened by itself.
    if (permissions.includes('denied')) throw new DeviceFailure('failed')
    const { camera, microphone } = this
    return this.#port.open({ camera: camera.chosen?.id ?? null, microphone: microphone.chosen?.id ?? null })
  }

  async #onDeviceChange(): Promise<void> {
    await Promise.all([this.camera.recheck(), this.microphone.recheck(), this.#refresh()])
  }

  async #refresh(): Promise<void> {
    await this.list.refresh()
    this.speaker.update()
  }
}
