import { Observable } from '@lectern/common'
import type { ComponentType } from 'react'
import type { Devices } from './devices/devices.ts'
import { type Account, nameOf, type User } from './identity/account.ts'
import type { Identity } from './identity/identity.ts'
import type { Invitation, Invitee } from './link/invitation.ts'
import type { Link } from './link/link.ts'
import { loadRejoinState, saveRejoinState } from './rejoin-state.ts'
import type { EnterOptions } from './room/enter-room.ts'
import type { Room } from './room/room.ts'
import type { StoredValue } from './stored-value.ts'

export type VisitState =
  | { is: 'prejoin' }
  | { is: 'loading' } // the code of the room
  | { is: 'failed' } // it does not load, and reloading the page has not helped
  | { is: 'room'; room: Room; RoomPage: RoomCode['RoomPage'] }

/** What is loaded to enter a room and to show it. */
export interface RoomCode {
  enter: (entering: EnterOptions) => Room
  RoomPage: ComponentType<{ room: Room; onBack: () => void }>
}

interface VisitOptions {
  link: Link
  devices: Devices
  account: Account
  /** Who the visitor is, which depends on whom the link was made for, and on who is signed in. */
  identify: (guest: Invitee | null, user: User | null) => Identity
  name: StoredValue
  /** In the tab's own storage. */
  rejoinState: StoredValue
  /** Rejects when the code does not load, or with the reason of the signal. */
  loadRoom: (signal: AbortSignal) => Promise<RoomCode>
}

/** One visit to a room: from the link over the prejoin screen into the room, and back. */
export class Visit extends Observable<VisitState> {
  readonly link: Link
  readonly devices: Devices
  readonly account: Account
  readonly #identify: VisitOptions['identify']
  /** The name that was typed last for a link that knows none. */
  readonly #name: StoredValue
  readonly #rejoinState: StoredValue
  readonly #loadRoom: VisitOptions['loadRoom']
  #stopSaving = () => {}
  /** Ends an entry that is still loading. */
  #entry = new AbortController()
  #isUnloading = false
  #isClosed = false

  constructor({ link, devices, account, identify, name, rejoinState, loadRoom }: VisitOptions) {
    super({ is: 'prejoin' })
    this.link = link
    this.devices = devices
    this.account = account
    this.#identify = identify
    this.#name = name
    this.#rejoinState = rejoinState
    this.#loadRoom = loadRoom
    link.subscribe(() => this.#onLink())
  }

  /** The name to offer. */
  nameFor({ invitee }: Invitation): string {
    const user = this.#userFor(invitee)
    return invitee?.name || (user && nameOf(user)) || this.#name.get() || ''
  }

  /** With microphone and camera as they are: what the browser still opens comes on inside. */
  readonly join = (invitation: Invitation, displayName: string): void => {
    const user = this.#userFor(invitation.invitee)
    if (!invitation.invitee?.name && !user) this.#name.set(displayName)
    const identity = this.#identify(invitation.invitee, user)
    identity.displayName = displayName
    const { devices } = this
    const { tag } = invitation
    const who = { tag, displayName, userId: user?.userId ?? null }
    // Before the code of the room is loaded: a page that is reloaded for it goes on to the room by itself.
    this.#stopSaving = saveRejoinState(this.#rejoinState, who, devices)
    void this.#enter({ invitation, displayName, identity, devices })
  }

  async #enter(entering: EnterOptions): Promise<void> {
    this.#entry = new AbortController()
    const { signal } = this.#entry
    this.set({ is: 'loading' })
    try {
      const { enter, RoomPage } = await this.#loadRoom(signal)
      if (signal.aborted) return
      const room = enter(entering)
      room.call.subscribe(() => room.call.get().is === 'ended' && this.#clearRejoinState())
      this.set({ is: 'room', room, RoomPage })
    } catch {
      if (!signal.aborted) this.set({ is: 'failed' })
    }
  }

  /** The page goes, maybe to be loaded again: what is remembered of the stay is to be as it was. */
  readonly handlePageHide = (): void => {
    this.#isUnloading = true
    this.#stopSaving()
  }

  /** Back to the prejoin screen, or to why the link leads nowhere any more. */
  readonly leave = (): void => {
    const state = this.get()
    this.#entry.abort()
    if (state.is === 'room') state.room.leave()
    this.#clearRejoinState()
    this.set({ is: 'prejoin' })
    this.#onLink()
    void this.link.refresh()
  }

  /** Another page is shown instead. */
  readonly close = (): void => {
    const state = this.get()
    this.#isClosed = true
    this.#entry.abort()
    if (state.is === 'room') state.room.leave()
    this.#clearRejoinState()
    this.link.close()
    this.devices.close()
  }

  /** A signed link is for whom it was made; the plain one is for whoever is signed in, or for a guest. */
  #userFor(guest: Invitee | null): User | null {
    const state = this.account.get()
    return guest === null && state.is === 'in' ? state.user : null
  }

  /** Devices are opened for an open link, and given back when it is not open any more. */
  #onLink(): void {
    if (this.#isClosed || this.get().is !== 'prejoin') return
    const link = this.link.get()
    if ((link.is === 'open') === this.devices.inUse) return
    if (link.is !== 'open') {
      this.devices.close()
      this.set({ is: 'prejoin' })
      return
    }
    const { tag, invitee } = link.invitation
    const stay = loadRejoinState(this.#rejoinState, tag, this.#userFor(invitee)?.userId ?? null)
    void this.devices.start(stay ?? undefined)
    // The page was loaded again in the middle of a stay: with the same name, microphone and camera as they were.
    if (stay) this.join(link.invitation, stay.displayName)
  }

  #clearRejoinState(): void {
    if (this.#isUnloading) return
    this.#stopSaving()
    this.#rejoinState.remove()
  }
}
