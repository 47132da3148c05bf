import type { ComponentType } from 'react'
import type { Devices } from './devices/devices.ts'
import { type Account, nameOf, type User } from './identity/account.ts'
import type { Identity } from './identity/identity.ts'
import type { Kept } from './kept.ts'
import type { Guest, Invitation } from './link/invitation.ts'
import type { Link } from './link/link.ts'
import { Observable } from './observable.ts'
import type { Entering } from './room/enter.ts'
import type { Room } from './room/room.ts'
import { keepStay, readStay } from './stay.ts'

export type VisitState =
  | { is: 'before' }
  | { is: 'loading' } // the code of the room
  | { is: 'failed' } // it does not load, and reloading the page has not helped
  | { is: 'inside'; room: Room; RoomPage: RoomCode['RoomPage'] }

/** What is loaded to enter a room and to show it. */
export interface RoomCode {
  enter: (entering: Entering) => Room
  RoomPage: ComponentType<{ room: Room; onBack: () => void }>
}

interface Parts {
  link: Link
  devices: Devices
  account: Account
  /** Who the visitor is, which depends on whom the link was made for, and on who is signed in. */
  identify: (guest: Guest | null, user: User | null) => Identity
  name: Kept
  /** In the tab's own storage. */
  stay: Kept
  /** Rejects when the code does not load, or with the reason of the signal. */
  loadRoom: (signal: AbortSignal) => Promise<RoomCode>
}

/** One visit to a room: from the link over the prejoin screen into the room, and back. */
export class Visit extends Observable<VisitState> {
  readonly link: Link
  readonly devices: Devices
  readonly account: Account
  readonly #identify: Parts['identify']
  /** The name that was typed last for a link that knows none. */
  readonly #name: Kept
  readonly #stay: Kept
  readonly #loadRoom: Parts['loadRoom']
  #noteNoMore = () => {}
  /** Ends an entry that is still loading. */
  #entry = new AbortController()
  #isGoing = false
  #isClosed = false

  constructor({ link, devices, account, identify, name, stay, loadRoom }: Parts) {
    super({ is: 'before' })
    this.link = link
    this.devices = devices
    this.account = account
    this.#identify = identify
    this.#name = name
    this.#stay = stay
    this.#loadRoom = loadRoom
    link.subscribe(() => this.#follow())
  }

  /** The name to offer. */
  nameFor({ guest }: Invitation): string {
    const user = this.#userFor(guest)
    return guest?.name || (user && nameOf(user)) || this.#name.get() || ''
  }

  /** With microphone and camera as they are: what the browser still opens comes on inside. */
  readonly join = (invitation: Invitation, displayName: string): void => {
    const user = this.#userFor(invitation.guest)
    if (!invitation.guest?.name && !user) this.#name.set(displayName)
    const identity = this.#identify(invitation.guest, user)
    identity.displayName = displayName
    const { devices } = this
    const { tag } = invitation
    const who = { tag, displayName, userId: user?.userId ?? null }
    // Before the code of the room is loaded: a page that is reloaded for it goes on to the room by itself.
    this.#noteNoMore = keepStay(this.#stay, who, devices)
    void this.#enter({ invitation, displayName, identity, devices })
  }

  async #enter(entering: Entering): Promise<void> {
    this.#entry = new AbortController()
    const { signal } = this.#entry
    this.set({ is: 'loading' })
    try {
      const { enter, RoomPage } = await this.#loadRoom(signal)
      if (signal.aborted) return
      const room = enter(entering)
      room.call.subscribe(() => room.call.get().is === 'over' && this.#forgetStay())
      this.set({ is: 'inside', room, RoomPage })
    } catch {
      if (!signal.aborted) this.set({ is: 'failed' })
    }
  }

  /** The page goes, maybe to be loaded again: what is remembered of the stay is to be as it was. */
  readonly pageGoes = (): void => {
    this.#isGoing = true
    this.#noteNoMore()
  }

  /** Back to the prejoin screen, or to why the link leads nowhere any more. */
  readonly leave = (): void => {
    const state = this.get()
    this.#entry.abort()
    if (state.is === 'inside') state.room.leave()
    this.#forgetStay()
    this.set({ is: 'before' })
    this.#follow()
    void this.link.refresh()
  }

  /** Another page is shown instead. */
  readonly close = (): void => {
    const state = this.get()
    this.#isClosed = true
    this.#entry.abort()
    if (state.is === 'inside') state.room.leave()
    this.#forgetStay()
    this.link.close()
    this.devices.close()
  }

  /** A signed link is for whom it was made; the plain one is for whoever is signed in, or for a guest. */
  #userFor(guest: Guest | null): User | null {
    const state = this.account.get()
    return guest === null && state.is === 'in' ? state.user : null
  }

  /** Devices are opened for an open link, and given back when it is not open any more. */
  #follow(): void {
    if (this.#isClosed || this.get().is !== 'before') return
    const link = this.link.get()
    if ((link.is === 'open') === this.devices.inUse) return
    if (link.is !== 'open') {
      this.devices.close()
      this.set({ is: 'before' })
      return
    }
    const { tag, guest } = link.invitation
    const stay = readStay(this.#stay, tag, this.#userFor(guest)?.userId ?? null)
    void this.devices.start(stay ?? undefined)
    // The page was loaded again in the middle of a stay: with the same name, microphone and camera as they were.
    if (stay) this.join(link.invitation, stay.displayName)
  }

  #forgetStay(): void {
    if (this.#isGoing) return
    this.#noteNoMore()
    this.#stay.forget()
  }
}
