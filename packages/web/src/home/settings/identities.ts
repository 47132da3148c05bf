import { Observable } from '@lectern/common'
import type { IdentityListResponse, IdentityView } from '@lectern/protocol'
import type { Account } from '../../identity/account.ts'

export type IdentitiesState = { is: 'loading' | 'unknown' } | { is: 'known'; list: readonly IdentityView[] }

const PATH = '/api/v1.0/me/identities'

/** The accounts at identity providers that sign the user in. */
export class Identities extends Observable<IdentitiesState> {
  readonly #request: Account['request']

  constructor({ request }: Pick<Account, 'request'>) {
    super({ is: 'loading' })
    this.#request = request
  }

  readonly load = async (): Promise<void> => {
    const answer = await this.#request({ method: 'GET', path: PATH })
    const list = answer.is === 'ok' ? (answer.body as Partial<IdentityListResponse> | null)?.identities : null
    this.set(Array.isArray(list) ? { is: 'known', list } : { is: 'unknown' })
  }

  /** Resolves with its success. */
  readonly unlink = async (): Promise<boolean> => {
    const answer = await this.#request({ method: 'DELETE', path: PATH })
    if (answer.is === 'ok') await this.load()
    return answer.is === 'ok'
  }
}
