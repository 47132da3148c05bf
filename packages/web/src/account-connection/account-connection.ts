import { Lifetime, Observable } from '@lectern/common'
import type { AccountView, ControlClient } from '@lectern/control-client'
import type { Target } from '@lectern/protocol/control/client'
import { nameOf, type User } from '../identity/account.ts'
import type { FileAccess } from '../uploads/files.ts'

/** The part of the control client that the connection needs. */
export type AccountControl = Pick<
  ControlClient,
  | 'account'
  | 'close'
  | 'command'
  | 'onEvent'
  | 'onSnapshot'
  | 'onStart'
  | 'online'
  | 'open'
  | 'state'
  | 'wake'
>

export interface AccountConnectionState {
  /** `outdated`: the server has been updated, and only a newer page can connect to it. */
  is: 'connecting' | 'online' | 'interrupted' | 'outdated'
  /** The last known state of the account; null before the first one. */
  view: AccountView | null
  /** Capabilities beyond those of every account; empty until the server has said so. */
  capabilities: readonly string[]
}

interface AccountConnectionOptions {
  user: User
  control: AccountControl
  /** The server does not accept the account any more. */
  onSignedOut: () => void
  accessToken: FileAccess['accessToken']
}

/** The control connection of the signed-in account, open as long as a page is. Its owner closes it. */
export class AccountConnection extends Observable<AccountConnectionState> {
  readonly user: User
  /** The id of the account in commands and views. */
  readonly userId: string
  /** Every event of the account, after the view contains it. */
  readonly onEvent: AccountControl['onEvent']
  /** The view was replaced as a whole: events may have been missed. */
  readonly onSnapshot: AccountControl['onSnapshot']
  /** The server knows nothing about this connection yet. */
  readonly onStart: AccountControl['onStart']
  /** Resolves with the data of the result; rejects with a ControlFailure. */
  readonly command: AccountControl['command']
  /** Things that end with the connection. */
  readonly lifetime = new Lifetime()
  readonly #control: AccountControl
  readonly #onSignedOut: () => void
  /** For requests over HTTP. */
  readonly accessToken: FileAccess['accessToken']

  constructor({ user, control, accessToken, onSignedOut }: AccountConnectionOptions) {
    super({ is: 'connecting', view: null, capabilities: [] })
    this.user = user
    this.userId = String(user.userId)
    this.onEvent = control.onEvent
    this.onSnapshot = control.onSnapshot
    this.onStart = control.onStart
    this.command = control.command.bind(control)
    this.#control = control
    this.#onSignedOut = onSignedOut
    this.accessToken = accessToken
  }

  readonly open = (): void => {
    const { state, account, open, close } = this.#control
    this.lifetime.defer(close)
    this.lifetime.defer(state.subscribe(this.#update))
    this.lifetime.defer(account(this.userId).subscribe(this.#update))
    open()
  }

  readonly close = (): void => void this.lifetime.close()

  /** The name that others see, as it is now. */
  get name(): string {
    const { displayName } = this.user
    return nameOf({ ...this.user, displayName: this.get().view?.display_name ?? displayName })
  }

  /** The target of commands that concern the account itself. */
  get self(): Target {
    return { kind: 'account', id: this.userId }
  }

  /** The network is back, or the page was hidden. */
  readonly wake = (): void => this.#control.wake()

  readonly #update = (): void => {
    const state = this.#control.state.get()
    // A view is empty until the next snapshot; the user keeps seeing the last one.
    const view = this.#control.account(this.userId).get() ?? this.get().view
    if (state.is === 'ended') this.#onEnd(state.reason.is)
    else if (state.is === 'ready') {
      const { capabilities } = state.user
      this.set({ is: 'online', view, capabilities })
    } else if (state.is === 'waiting') this.set({ ...this.get(), is: 'interrupted', view })
    else if (view !== this.get().view) this.set({ ...this.get(), view })
  }

  #onEnd(reason: 'closed' | 'forbidden' | 'signed-out' | 'incompatible' | 'account-deleted'): void {
    if (reason === 'closed') return
    if (reason === 'incompatible') this.set({ ...this.get(), is: 'outdated' })
    else this.#onSignedOut()
  }
}
