import type { Observable } from '@lectern/common'
import type { SignedInState } from '../account-connection/signed-in.ts'
import type { Account } from '../identity/account.ts'
import type { StoredValue } from '../stored-value.ts'
import { isLanguage, type LanguageName } from '../texts/languages.ts'
import type { Language } from './language.ts'

interface Options {
  language: Pick<Language, 'get' | 'choose' | 'onChosen'>
  account: Pick<Account, 'request'>
  signedIn: Observable<SignedInState>
  /** Holds a choice that the server does not know yet. */
  unsynced: StoredValue
}

const PATH = '/api/v1.0/me'

/**
 * The chosen language belongs to the account: the last choice on any device holds on all of them, and for notifications.
 * A language that nobody has chosen is not stored.
 */
export class AccountLanguage {
  readonly #options: Options
  #userId: string | null = null

  constructor(options: Options) {
    this.#options = options
    const { language, signedIn, unsynced } = options
    language.onChosen(name => {
      unsynced.set(name)
      if (this.#userId !== null) void this.#push(name)
    })
    signedIn.subscribe(this.#update)
    this.#update()
  }

  readonly #update = (): void => {
    const state = this.#options.signedIn.get()
    const userId = state.is === 'connected' ? state.connection.userId : null
    if (userId === this.#userId) return
    this.#userId = userId
    if (userId === null) return
    const chosen = readLanguage(this.#options.unsynced.get())
    void (chosen ? this.#push(chosen) : this.#pull(userId))
  }

  /** Sends the language. A failure is repeated when the page is opened again. */
  async #push(name: LanguageName): Promise<void> {
    const { account, unsynced } = this.#options
    const answer = await account.request({ method: 'PATCH', path: PATH, body: { language: name } })
    const isFinal = answer.is === 'ok' || (answer.is === 'refused' && answer.code === 'permission_denied')
    if (isFinal && unsynced.get() === name) unsynced.remove()
  }

  async #pull(userId: string): Promise<void> {
    const { account, language, unsynced } = this.#options
    const answer = await account.request({ method: 'GET', path: PATH })
    if (answer.is !== 'ok' || this.#userId !== userId || unsynced.get() !== null) return
    const name = readLanguage((answer.body as { language?: unknown } | null)?.language)
    if (name && name !== language.get()) await language.choose(name, { isOwnChoice: false })
  }
}

const readLanguage = (value: unknown): LanguageName | null => (isLanguage(value) ? value : null)
