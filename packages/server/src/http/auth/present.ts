import type { LoginResponse, UserView } from '@lectern/protocol'
import type { User } from '../../accounts/ports.ts'
import type { Tokens } from '../../accounts/sessions.ts'

export const presentUser = (user: User): UserView => ({
  user_id: user.id,
  login: user.login,
  display_name: user.displayName,
  kind: user.kind,
  capabilities: user.capabilities,
})

export const presentLogin = (user: User, tokens: Tokens): LoginResponse => ({
  result: 200,
  ...tokens,
  user: presentUser(user),
})
