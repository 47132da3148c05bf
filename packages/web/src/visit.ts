import type { Devices } from './devices/devices.ts'
import type { Identity } from './identity/identity.ts'
import type { Kept } from './kept.ts'
import type { Guest, Invitation } from './link/invitation.ts'
import type { Link } from './link/link.ts'
import { Observable } from './observable.ts'
import type { Entry } from './prejoin/entry.ts'
import type { Entering } from './room/enter.ts'
import type { Room } from './room/room.ts'

export type VisitState = { is: 'before' } | { is: 'inside'; room: Room }

interface Parts {
  link: Link
  devices: Devices
  /** Who the visitor is, which depends on whom the link was made for. */
  identify: (guest: Guest | null) => Identity
  name: Kept
  enter: (entering: Entering) => Room
}

/** One visit to a room: from the link over the prejoin screen into the room, and back. */
export class Visit extends Observable<VisitState> {
  readonly link: Link
  readonly devices: Devices
  readonly #identify: Parts['identify']
  /** The name that was typed last for a link that knows none. */
  readonly #name: Kept
  readonly #enter: Parts['enter']

  constructor({ link, devices, identify, name, enter }: Parts) {
    super({ is: 'before' })
    this.link = link
    this.devices = devices
    this.#identify = identify
    this.#name = name
    this.#enter = enter
    link.subscribe(() => this.#follow())
  }

  /** The name to offer. */
  nameFor({ guest }: Invitation): string {
    return guest?.name || this.#name.get() || ''
  }

  readonly join = (invitation: Invitation, entry: Entry): void => {
    if (!invitation.guest?.name) this.#name.set(entry.displayName)
    const identity = this.#identify(invitation.guest)
    identity.displayName = entry.displayName
    const { devices } = this
    this.set({ is: 'inside', room: this.#enter({ invitation, entry, identity, devices }) })
  }

  /** Back to the prejoin screen, or to why the link leads nowhere any more. */
  readonly leave = (): void => {
    const state = this.get()
    if (state.is === 'inside') state.room.leave()
    this.set({ is: 'before' })
    this.#follow()
    void this.link.refresh()
  }

  /** Devices are opened for an open link, and given back when it is not open any more. */
  #follow(): void {
    if (this.get().is === 'inside') return
    const isOpen = this.link.get().is === 'open'
    if (isOpen === this.devices.inUse) return
    if (isOpen) void this.devices.start()
    else this.devices.close()
  }
}
