import type { LoginResponse } from '@lectern/protocol'
import type { User } from '../../ports.ts'
import { presentUser } from '../../present.ts'
import type { Tokens } from '../../sessions.ts'

export const presentLogin = (user: User, tokens: Tokens): LoginResponse => ({
  result: 200,
  ...tokens,
  user: presentUser(user),
})
