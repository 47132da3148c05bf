import { type Lifetime, Observable } from '@lectern/common'
import type { Input } from '../../devices/input.ts'
import type { SwitchSetting } from '../switch-setting.ts'

type Microphone = Pick<Input, 'get' | 'subscribe' | 'turnOff' | 'turnOn'>

/** Turns a muted microphone on for as long as a key is held. The value: whether it is held. */
export class PushToTalk extends Observable<boolean> {
  readonly setting: SwitchSetting
  readonly #microphone: Microphone

  constructor(microphone: Microphone, setting: SwitchSetting, lifetime: Lifetime) {
    super(false)
    this.setting = setting
    this.#microphone = microphone
    lifetime.defer(setting.subscribe(() => setting.get() || this.release()))
    lifetime.defer(() => this.release())
  }

  /** False: it is turned off, or the microphone is not muted. */
  readonly press = (): boolean => {
    if (this.get()) return true
    if (!this.setting.get() || this.#microphone.get().is !== 'off') return false
    this.set(true)
    void this.#microphone.turnOn()
    return true
  }

  /** Also when the window has lost the focus: its key may never be released. */
  readonly release = (): void => {
    if (!this.get()) return
    this.set(false)
    this.#microphone.turnOff()
  }
}
