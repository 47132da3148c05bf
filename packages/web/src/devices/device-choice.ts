import type { StoredValue } from '../stored-value.ts'

/** The device that the visitor has chosen; its label is for telling when it is gone. No id: no device above others. */
export interface DeviceChoice {
  id: string
  label: string
}

/** The last choice of one kind of device, remembered from visit to visit. */
export class StoredDeviceChoice {
  readonly #stored: StoredValue

  constructor(kept: StoredValue) {
    this.#stored = kept
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
