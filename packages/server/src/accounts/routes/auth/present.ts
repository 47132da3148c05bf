import type { LoginResponse } from '@lectern/protocol'
import type { Tokens } from '../../auth-sessions.ts'
import type { User } from '../../ports.ts'
import { presentUser } from '../../present.ts'

export const presentLogin = (user: User, tokens: Tokens): LoginResponse => ({
  result: 200,
  ...tokens,
  user: presentUser(user),
})
