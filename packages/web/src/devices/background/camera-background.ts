import { Observable } from '@lectern/common'
import type { StoredValue } from '../../stored-value.ts'
import { DeviceFailure } from '../port.ts'
import { BACKGROUNDS, type Background } from './choice.ts'
import type { BackgroundEffect, EffectProblem, RunningEffect } from './effect.ts'

/** The background of the person in the camera's video. Remembered by the browser. */
export class CameraBackground extends Observable<Background> {
  readonly #stored: StoredValue
  readonly #effect: BackgroundEffect
  #starting: Promise<RunningEffect> | null = null
  /** The effect has stopped, and the camera with it. */
  onProblem: (problem: EffectProblem) => void = () => {}

  constructor(stored: StoredValue, effect: BackgroundEffect) {
    super(BACKGROUNDS.find(each => each === stored.get()) ?? 'off')
    this.#stored = stored
    this.#effect = effect
  }

  get isSupported(): boolean {
    return this.#effect.isSupported()
  }

  /** True where the camera has to be processed again; otherwise the next frame has it. */
  choose(background: Background): boolean {
    const before = this.get()
    this.#stored.set(background)
    this.set(background)
    if (before === 'off' || background === 'off') return before !== background
    this.#starting?.then(
      running => running.change(background),
      () => {},
    )
    return false
  }

  /** Returns the track to send. It never is the device's unless the room may be seen. */
  process(device: MediaStreamTrack): MediaStreamTrack | Promise<MediaStreamTrack> {
    const cover = this.get()
    this.#starting = null
    if (cover === 'off') return device
    const starting = this.#effect.start(device, cover, problem => {
      if (this.#starting === starting && device.readyState === 'live') this.onProblem(problem)
    })
    this.#starting = starting
    return starting.then(
      ({ track }) => track,
      cause => {
        throw new DeviceFailure('background_failed', { cause })
      },
    )
  }
}
