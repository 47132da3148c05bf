import type { AdminUser, UserState } from '@lectern/protocol'
import { hasOwnLogin } from '../../accounts/partner-person.ts'
import type { User } from '../../accounts/ports.ts'

const stateOf = ({ disabledAt, deletedAt }: User): UserState =>
  deletedAt !== null ? 'deleted' : disabledAt !== null ? 'disabled' : 'active'

export const presentUser = (user: User): AdminUser => ({
  user_id: user.id,
  login: user.login,
  display_name: user.displayName,
  kind: user.kind,
  state: stateOf(user),
  capabilities: user.capabilities,
  has_password: user.passwordHash !== null,
  has_own_login: hasOwnLogin(user),
  email: user.email,
  created_at: user.createdAt,
})
