import type { Devices } from './devices/devices.ts'
import type { Identity } from './identity/identity.ts'
import type { Kept } from './kept.ts'
import type { Guest, Invitation } from './link/invitation.ts'
import type { Link } from './link/link.ts'
import { Observable } from './observable.ts'
import type { Entry } from './prejoin/entry.ts'

export type VisitState =
  | { is: 'before' }
  | { is: 'inside'; invitation: Invitation; entry: Entry; identity: Identity }

interface Parts {
  link: Link
  devices: Devices
  /** Who the visitor is, which depends on whom the link was made for. */
  identify: (guest: Guest | null) => Identity
  name: Kept
}

/** One visit to a room: from the link over the prejoin screen into the room, and back. */
export class Visit extends Observable<VisitState> {
  readonly link: Link
  readonly devices: Devices
  readonly #identify: Parts['identify']
  /** The name that was typed last for a link that knows none. */
  readonly #name: Kept

  constructor({ link, devices, identify, name }: Parts) {
    super({ is: 'before' })
    this.link = link
    this.devices = devices
    this.#identify = identify
    this.#name = name
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
    this.set({ is: 'inside', invitation, entry, identity })
  }

  /** Back to the prejoin screen, or to why the link leads nowhere any more. */
  readonly leave = (): void => {
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
