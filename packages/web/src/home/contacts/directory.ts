import { Observable } from '@lectern/common'
import type { Account } from '../../identity/account.ts'

export interface Person {
  userId: string
  login: string
  name: string
}

/** Requests wait until the user stops typing. */
const PAUSE_MS = 250
/** The server rejects longer ones. */
const SEARCH_MAX = 64

/** Searches the server's directory of users as the user types; finds nobody on a server without one. */
export class Directory extends Observable<readonly Person[]> {
  readonly #request: Account['request']
  #isOff = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #searched = ''

  constructor({ request }: Pick<Account, 'request'>) {
    super([])
    this.#request = request
  }

  readonly search = (typed: string): void => {
    const text = typed.trim().slice(0, SEARCH_MAX)
    if (this.#isOff || text === this.#searched) return
    this.#searched = text
    clearTimeout(this.#timer)
    if (text === '') this.set([])
    else this.#timer = setTimeout(() => void this.#load(text), PAUSE_MS)
  }

  readonly close = (): void => clearTimeout(this.#timer)

  async #load(text: string): Promise<void> {
    const path = `/api/v1.0/users?${new URLSearchParams({ search: text })}`
    const answer = await this.#request({ method: 'GET', path })
    this.#isOff = answer.is === 'refused' && answer.code === 'permission_denied'
    // The user has typed on meanwhile.
    if (text === this.#searched) this.set(answer.is === 'ok' ? readPeople(answer.body) : [])
  }
}

function readPeople(body: unknown): Person[] {
  const list = typeof body === 'object' && body !== null && 'users' in body ? body.users : null
  if (!Array.isArray(list)) return []
  return list.map(({ user_id, login, display_name }) => ({
    userId: String(user_id),
    login: String(login),
    name: String(display_name || login),
  }))
}
