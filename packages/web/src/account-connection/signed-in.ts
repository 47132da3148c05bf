import { Observable } from '@lectern/common'
import type { ComponentType } from 'react'
import type { Account, User } from '../identity/account.ts'
import type { AccountConnection } from './account-connection.ts'

/** The connection of the account; `none`: nobody is signed in, or the page does without. */
export type SignedInState =
  | { is: 'none' }
  | { is: 'loading' } // its code
  | { is: 'failed' } // the code does not load, and reloading the page has not helped
  | ({ is: 'connected'; connection: AccountConnection } & ConnectionComponents)

interface ConnectionComponents {
  /** Shown beside every page. */
  AccountLayer: ComponentType
  /** Calls people into the conference in which the user is. */
  InviteToRoom: ComponentType<{ tag: string; insideIds: ReadonlySet<string> }>
}

/** The code of the connection. */
interface ConnectionCode extends ConnectionComponents {
  openAccountConnection: (account: Account, user: User) => AccountConnection
}

interface SignedInOptions {
  account: Account
  /** Rejects when the code does not load, or with the signal's reason. */
  load: (signal: AbortSignal) => Promise<ConnectionCode>
}

/** Keeps one connection while somebody is signed in, and another one after a change of the account. */
export class SignedIn extends Observable<SignedInState> {
  readonly #account: Account
  readonly #load: SignedInOptions['load']
  #userId: number | null = null
  #loading = new AbortController()
  #isWanted = false

  constructor({ account, load }: SignedInOptions) {
    super({ is: 'none' })
    this.#account = account
    this.#load = load
    account.subscribe(() => this.#update())
  }

  /** Whether the present page shows anything of the account. */
  readonly setWanted = (isWanted: boolean): void => {
    this.#isWanted = isWanted
    this.#update()
  }

  #update(): void {
    const state = this.#account.get()
    const user = this.#isWanted && state.is === 'in' ? state.user : null
    if ((user?.userId ?? null) === this.#userId) return
    this.#close()
    this.#userId = user?.userId ?? null
    if (user) void this.#connect(user)
    else this.set({ is: 'none' })
  }

  #close(): void {
    this.#loading.abort()
    const state = this.get()
    if (state.is === 'connected') state.connection.close()
  }

  async #connect(user: User): Promise<void> {
    this.#loading = new AbortController()
    const { signal } = this.#loading
    this.set({ is: 'loading' })
    try {
      const { openAccountConnection, ...components } = await this.#load(signal)
      if (signal.aborted) return
      const connection = openAccountConnection(this.#account, user)
      this.set({ is: 'connected', connection, ...components })
    } catch {
      if (!signal.aborted) this.set({ is: 'failed' })
    }
  }
}
