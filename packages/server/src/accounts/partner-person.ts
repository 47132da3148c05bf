import { ensure } from '@lectern/protocol'
import type { User } from './ports.ts'

const PREFIX = 'person-'
const DIGEST = /^[0-9a-f]{24}$/

/** The login of the account behind a partner's personal link. `digest`: 24 hexadecimal digits. */
export const partnerPersonLogin = (digest: string): string => `${PREFIX}${digest}`

/** Whether the account belongs to a person of a partner: the partner names it, and only its links sign in. */
const isPartnerPerson = ({ login }: Pick<User, 'login'>): boolean =>
  login.startsWith(PREFIX) && DIGEST.test(login.slice(PREFIX.length))

/** Whether the owner of the account has its login: no guest, no embedded worker, no person of a partner. */
export const hasOwnLogin = (user: Pick<User, 'login' | 'kind'>): boolean =>
  (user.kind === 'ordinary' || user.kind === 'technical') && !isPartnerPerson(user)

/** Throws `permission_denied` for an account whose owner does not have its login. */
export function ensureOwnLogin(user: Pick<User, 'login' | 'kind'>): void {
  ensure(hasOwnLogin(user), 'permission_denied', 'This needs an account with a login of its own.')
}
