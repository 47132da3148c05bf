import type { UserView } from '@lectern/protocol'
import type { User } from './ports.ts'

/** An account as its user sees it. */
export const presentUser = (user: User): UserView => ({
  user_id: user.id,
  login: user.login,
  display_name: user.displayName,
  kind: user.kind,
  capabilities: user.capabilities,
})
