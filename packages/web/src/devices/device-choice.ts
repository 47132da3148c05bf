import type { StoredValue } from '../stored-value.ts'

/**
 * A device that the user has chosen; the label is shown when it is missing. An empty id means the default device.
 */
export interface DeviceChoice {
  id: string
  label: string
}

/** The last choice for one kind of device, stored across visits. */
export class StoredDeviceChoice {
  readonly #stored: StoredValue

  constructor(stored: StoredValue) {
    this.#stored = stored
  }

  get(): DeviceChoice | null {
    try {
      const { id, label } = JSON.parse(this.#stored.get() ?? '{}')
      return typeof id === 'string' && id !== '' && typeof label === 'string' ? { id, label } : null
    } catch {
      return null
    }
  }

  set({ id, label }: DeviceChoice): void {
    this.#stored.set(JSON.stringify({ id, label }))
  }
}
