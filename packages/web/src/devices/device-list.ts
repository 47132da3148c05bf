import { Observable } from '@lectern/common'
import type { Device, DeviceKind, DevicePort } from './port.ts'

export type Listed = Readonly<Record<DeviceKind, readonly Device[]>>

/** The available devices. */
export class DeviceList extends Observable<Listed> {
  readonly #port: DevicePort

  constructor(port: DevicePort) {
    super({ camera: [], microphone: [], speaker: [] })
    this.#port = port
  }

  async refresh(): Promise<void> {
    const devices = await this.#port.list()
    const ofKind = (kind: DeviceKind) => devices.filter(device => device.kind === kind)
    const listed = { camera: ofKind('camera'), microphone: ofKind('microphone'), speaker: ofKind('speaker') }
    if (JSON.stringify(listed) !== JSON.stringify(this.get())) this.set(listed)
  }
}
