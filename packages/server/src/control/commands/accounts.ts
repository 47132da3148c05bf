import { Refusal } from '@lectern/protocol'
import type { Target } from '@lectern/protocol/control'
import type { Sender } from './command.ts'

/** Commands for an account are for the sender's own. Throws `permission_denied`. */
export function requireOwnAccount({ login }: Sender, target: Target): void {
  if (target.id !== String(login.user.id))
    throw new Refusal('permission_denied', 'The target must be your own account.')
}
