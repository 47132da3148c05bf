import { Refusal } from '@lectern/protocol'
import type { Target } from '@lectern/protocol/control'
import type { User } from '../../accounts/ports.ts'
import type { Sender } from './command.ts'

/** The account of the sender, which the target MUST name. Throws `permission_denied`. */
export function ownAccount({ login }: Sender, { id }: Target): User {
  if (id !== String(login.user.id)) throw new Refusal('permission_denied')
  return login.user
}
