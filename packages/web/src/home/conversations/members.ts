import { Observable } from '@lectern/common'
import type { ApiResponse } from '../../api/api.ts'
import type { Account } from '../../identity/account.ts'

export interface Member {
  userId: number
  displayName: string
  isOwner: boolean
  /** Has not agreed yet. */
  isInvited: boolean
}

export type MembersState =
  | { is: 'loading' }
  | { is: 'unknown' } // the request failed
  | { is: 'known'; list: readonly Member[] }

/** The members of the conversation of a conference. The changes resolve with null, or with the code of their refusal. */
export class Members extends Observable<MembersState> {
  readonly #request: Account['request']
  readonly #path: string

  constructor({ request }: Pick<Account, 'request'>, tag: string) {
    super({ is: 'loading' })
    this.#request = request
    this.#path = `/api/v1.0/conferences/${encodeURIComponent(tag)}/members`
  }

  readonly load = async (): Promise<void> => {
    const answer = await this.#request({ method: 'GET', path: this.#path })
    const list = answer.is === 'ok' ? readMembers(answer.body) : null
    if (list) this.set({ is: 'known', list })
    else if (this.get().is !== 'known') this.set({ is: 'unknown' })
  }

  readonly add = (login: string): Promise<string | null> =>
    this.#change({ method: 'POST', path: this.#path, body: { login } })

  /** The owner removes others, and everybody else leaves. */
  readonly remove = (userId: number): Promise<string | null> =>
    this.#change({ method: 'DELETE', path: `${this.#path}/${userId}` })

  async #change(request: Parameters<Account['request']>[0]): Promise<string | null> {
    const answer = await this.#request(request)
    if (answer.is !== 'ok') return codeOf(answer)
    await this.load()
    return null
  }
}

const codeOf = (answer: ApiResponse) => (answer.is === 'refused' && answer.code) || 'failed'

function readMembers(body: unknown): Member[] | null {
  const list = typeof body === 'object' && body !== null && 'members' in body ? body.members : null
  if (!Array.isArray(list)) return null
  return list.map(({ user_id, display_name, owner, invited }) => ({
    userId: user_id,
    displayName: display_name,
    isOwner: owner === true,
    isInvited: invited === true,
  }))
}
