import type { AccountState } from '@lectern/protocol/control'
import type { User } from '../../accounts/ports.ts'
import type { AccountEvent, AccountStateSource } from './account-state.ts'

const NAME = 'name'

/** The display name in the states of accounts. Connections bring the name of their sign-in; this one reads it again. */
export class NameSource implements AccountStateSource {
  readonly #find: (userId: number) => Promise<Pick<User, 'displayName'> | null>

  constructor(find: (userId: number) => Promise<Pick<User, 'displayName'> | null>) {
    this.#find = find
  }

  async load(): Promise<Partial<AccountState>> {
    return {}
  }

  keysOf(): string[] {
    return [NAME]
  }

  async refresh(
    _keys: readonly string[],
    state: AccountState,
  ): Promise<{ key: string; event: AccountEvent }[]> {
    const user = await this.#find(Number(state.user_id))
    if (!user || user.displayName === state.display_name) return []
    return [{ key: NAME, event: { name: 'account.changed', body: { display_name: user.displayName } } }]
  }

  staleAfter(): null {
    return null
  }
}
