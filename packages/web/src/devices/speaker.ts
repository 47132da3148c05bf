import { Observable } from '@lectern/common'
import type { DeviceChoice, StoredDeviceChoice } from './device-choice.ts'
import type { DeviceList } from './device-list.ts'

export interface SpeakerState {
  /** For `setSinkId`; empty for the system default. */
  id: string
  /** Label of the chosen speaker while it is missing. */
  replaces: string | null
}

/** The audio output: the chosen speaker while it is available. */
export class Speaker extends Observable<SpeakerState> {
  readonly #choice: StoredDeviceChoice
  readonly #list: DeviceList

  constructor(choice: StoredDeviceChoice, list: DeviceList) {
    super({ id: '', replaces: null })
    this.#choice = choice
    this.#list = list
  }

  readonly choose = (device: DeviceChoice): void => {
    this.#choice.set(device)
    this.update()
  }

  /** The list of speakers has changed. */
  update(): void {
    const chosen = this.#choice.get()
    const { speaker: listed } = this.#list.get()
    const isAvailable = listed.some(({ id }) => id === chosen?.id)
    const id = chosen && isAvailable ? chosen.id : ''
    // Without permission nothing is listed, and nothing is known to be missing.
    const replaces = chosen && !isAvailable && listed.length > 0 ? chosen.label : null
    const now = this.get()
    if (now.id !== id || now.replaces !== replaces) this.set({ id, replaces })
  }
}
