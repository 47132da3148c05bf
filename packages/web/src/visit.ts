import { Observable } from '@lectern/common'
import type { ComponentType } from 'react'
import type { Devices } from './devices/devices.ts'
import { type Account, nameOf, type User } from './identity/account.ts'
import type { Identity } from './identity/identity.ts'
import { JoinPreparation, type Prepare } from './join-preparation.ts'
import type { Invitation, Invitee } from './link/invitation.ts'
import type { Link } from './link/link.ts'
import { randomId } from './random-id.ts'
import { loadRejoinState, type RejoinState, saveRejoinState } from './rejoin-state.ts'
import type { EnterOptions } from './room/enter-room.ts'
import type { Room } from './room/room.ts'
import type { RoomTab } from './room-tab.ts'
import type { CurrentRoom } from './site/current-room.ts'
import type { StoredValue } from './stored-value.ts'

export type VisitState =
  | { is: 'prejoin'; isElsewhere?: boolean } // another tab of this browser is in the room
  | { is: 'loading' } // the room's code
  | { is: 'failed' } // it does not load, and reloading the page has not helped
  | { is: 'room'; room: Room; RoomPage: RoomCode['RoomPage'] }

/** The room's code, loaded before joining. */
export interface RoomCode {
  enter: (entering: EnterOptions) => Room
  RoomPage: ComponentType<{ room: Room; onBack: () => void; onRejoin: () => void }>
}

interface VisitOptions {
  link: Link
  devices: Devices
  account: Account
  /** The identity depends on the invitee of the link, and on the signed-in user. */
  identify: (invitee: Invitee | null, user: User | null) => Identity
  name: StoredValue
  /** In session storage. */
  rejoinState: StoredValue
  tab: RoomTab
  currentRoom: Pick<CurrentRoom, 'enter' | 'end'>
  /** Rejects when the code does not load, or with the signal's reason. */
  loadRoom: (signal: AbortSignal) => Promise<RoomCode>
  prepare: Prepare
}

/** A visit to a room: from the link over the prejoin screen into the room, and back. */
export class Visit extends Observable<VisitState> {
  readonly link: Link
  readonly devices: Devices
  readonly account: Account
  readonly #identify: VisitOptions['identify']
  /** The name that was typed last, for links without one. */
  readonly #name: StoredValue
  readonly #rejoinState: StoredValue
  readonly #tab: RoomTab
  readonly #currentRoom: VisitOptions['currentRoom']
  readonly #loadRoom: VisitOptions['loadRoom']
  readonly #preparation: JoinPreparation
  #stopSaving = () => {}
  /** How the user was in the room that has ended. */
  #ended: { invitation: Invitation; state: RejoinState; asks: boolean } | null = null
  /** Aborts a join that is still loading. */
  #entry = new AbortController()
  #isUnloading = false
  #isClosed = false

  constructor(options: VisitOptions) {
    super({ is: 'prejoin' })
    this.link = options.link
    this.devices = options.devices
    this.account = options.account
    this.#identify = options.identify
    this.#name = options.name
    this.#rejoinState = options.rejoinState
    this.#tab = options.tab
    this.#currentRoom = options.currentRoom
    this.#loadRoom = options.loadRoom
    this.#preparation = new JoinPreparation(options.prepare)
    this.link.subscribe(() => this.#onLink())
  }

  /** The suggested name. */
  nameFor({ invitee }: Invitation): string {
    const user = this.#userFor(invitee)
    return invitee?.name || (user && nameOf(user)) || this.#name.get() || ''
  }

  /** A guest whose name is in the link gets the account now: nothing that the user typed is sent before the join. */
  readonly anticipateJoin = (invitation: Invitation): void => {
    const { invitee } = invitation
    if (this.get().is !== 'prejoin' || !invitee?.name || this.#preparation.hasIdentity) return
    this.#prepare(invitation, this.#identify(invitee, null))
  }

  /** Devices that are still opening continue to open. */
  readonly join = (
    invitation: Invitation,
    displayName: string,
    { tab = randomId(), asks = false }: { tab?: string; asks?: boolean } = {},
  ): void => {
    const user = this.#userFor(invitation.invitee)
    if (!invitation.invitee?.name && !user) this.#name.set(displayName)
    const userId = user?.userId ?? null
    const preparation = this.#preparation.take(userId)
    const identity = preparation?.identity ?? this.#identify(invitation.invitee, user)
    identity.displayName = displayName
    const { devices } = this
    const person = { tag: invitation.tag, displayName, userId, tab }
    void this.#tab.claim(invitation.tag, tab)
    // Saved before the room's code loads: if the page is reloaded for that, it rejoins automatically.
    this.#stopSaving = saveRejoinState(this.#rejoinState, person, devices)
    const prepared = preparation?.connection ?? undefined
    void this.#enter({ invitation, displayName, identity, devices, prepared, asks }, userId)
  }

  async #enter(entering: EnterOptions, userId: number | null): Promise<void> {
    this.#entry = new AbortController()
    const { signal } = this.#entry
    this.set({ is: 'loading' })
    try {
      const { enter, RoomPage } = await this.#loadRoom(signal)
      if (signal.aborted) return entering.prepared?.close()
      const room = enter(entering)
      room.call.subscribe(() => {
        const state = room.call.get()
        if (state.is !== 'ended') return
        const { invitation } = entering
        const last = loadRejoinState(this.#rejoinState, invitation.tag, userId)
        this.#ended = last && { invitation, state: last, asks: state.reason === 'removed' }
        this.#onRoomEnd(state.reason === 'left')
      })
      this.#currentRoom.enter(entering.invitation.tag)
      this.set({ is: 'room', room, RoomPage })
    } catch {
      entering.prepared?.close()
      if (!signal.aborted) this.set({ is: 'failed' })
    }
  }

  /** Into the room that has ended once more, without the prejoin screen: as the same person, with the same devices. */
  readonly rejoin = (): void => {
    const ended = this.#ended
    if (ended) {
      void this.devices.start(ended.state)
      this.join(ended.invitation, ended.state.displayName, { asks: ended.asks })
    } else this.leave() // this browser stores nothing
  }

  /** The page may be reloaded: the rejoin state must stay as it is. */
  readonly handlePageHide = (): void => {
    this.#isUnloading = true
    this.#stopSaving()
    this.#tab.release()
  }

  /** Back to the prejoin screen, or to the reason why the link is not valid any more. */
  readonly leave = (): void => {
    const state = this.get()
    this.#entry.abort()
    if (state.is === 'room') state.room.leave()
    this.#clearRejoinState()
    this.set({ is: 'prejoin' })
    this.#onLink()
    const link = this.link.get()
    if (link.is === 'open' && !this.#preparation.hasBegun) this.#prepareKnown(link.invitation)
    void this.link.refresh()
  }

  /** Another page is shown instead. */
  readonly close = (): void => {
    const state = this.get()
    this.#isClosed = true
    this.#entry.abort()
    if (state.is === 'room') state.room.leave()
    this.#clearRejoinState()
    this.#preparation.close()
    this.link.close()
    this.devices.close()
  }

  /** A signed link identifies its invitee; the plain link admits the signed-in user or a guest. */
  #userFor(invitee: Invitee | null): User | null {
    const state = this.account.get()
    return invitee === null && state.is === 'in' ? state.user : null
  }

  /** Devices are open while the link is open. */
  #onLink(): void {
    if (this.#isClosed || this.get().is !== 'prejoin') return
    const link = this.link.get()
    if (link.is === 'open') void this.#findOtherTab(link.invitation)
    if ((link.is === 'open') === this.devices.inUse) return
    if (link.is !== 'open') {
      this.devices.close()
      this.#preparation.close()
      this.set({ is: 'prejoin' })
      return
    }
    const { tag, invitee } = link.invitation
    const rejoinState = loadRejoinState(this.#rejoinState, tag, this.#userFor(invitee)?.userId ?? null)
    void this.devices.start(rejoinState ?? undefined)
    if (rejoinState) void this.#rejoinUnlessCopy(link.invitation, rejoinState)
    else this.#prepareKnown(link.invitation)
  }

  /** The page was reloaded during a call: rejoins with the same name and devices. A duplicated tab asks. */
  async #rejoinUnlessCopy(invitation: Invitation, state: RejoinState): Promise<void> {
    const { tab = randomId() } = state
    this.#entry = new AbortController()
    const { signal } = this.#entry
    this.set({ is: 'loading' })
    const isMine = await this.#tab.claim(invitation.tag, tab)
    if (signal.aborted) return
    if (isMine) return this.join(invitation, state.displayName, { tab })
    this.#clearRejoinState()
    this.set({ is: 'prejoin' })
    this.#prepareKnown(invitation)
    void this.#findOtherTab(invitation)
  }

  async #findOtherTab({ tag }: Invitation): Promise<void> {
    const isElsewhere = await this.#tab.isElsewhere(tag)
    const state = this.get()
    if (state.is === 'prejoin' && Boolean(state.isElsewhere) !== isElsewhere)
      this.set({ is: 'prejoin', isElsewhere })
  }

  /** Guests get an account, and the people of links without a name their name, with the join. */
  #prepareKnown(invitation: Invitation): void {
    const { invitee } = invitation
    const user = this.#userFor(invitee)
    const isKnown = user !== null || (invitee?.personal && invitee.name)
    this.#prepare(invitation, isKnown ? this.#identify(invitee, user) : null)
  }

  #prepare(invitation: Invitation, identity: Identity | null): void {
    if (identity) identity.displayName = this.nameFor(invitation)
    const userId = this.#userFor(invitation.invitee)?.userId ?? null
    void this.#preparation.start(invitation, userId, identity)
  }

  #onRoomEnd(isOwnChoice: boolean): void {
    this.#clearRejoinState()
    if (!this.#isUnloading) this.#currentRoom.end({ isOwnChoice, isPageKept: !this.#isClosed })
  }

  #clearRejoinState(): void {
    if (this.#isUnloading) return
    this.#stopSaving()
    this.#tab.release()
    this.#rejoinState.remove()
  }
}
