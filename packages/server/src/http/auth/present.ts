import type { LoginResponse } from '@lectern/protocol'
import type { User } from '../../accounts/ports.ts'
import { presentUser } from '../../accounts/present.ts'
import type { Tokens } from '../../accounts/sessions.ts'

export const presentLogin = (user: User, tokens: Tokens): LoginResponse => ({
  result: 200,
  ...tokens,
  user: presentUser(user),
})
