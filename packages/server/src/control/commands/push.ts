import { ensure } from '@lectern/protocol'
import type { Handler } from './command.ts'

/** The connection determines the account, not the body (rule PUSH-1). */
export const updateSubscription: Handler<'push_subscription_update'> = async (
  { pushSubscriptions },
  { login },
  { target, body },
) => {
  const { user, authSessionId } = login
  ensure(target.id === String(user.id), 'permission_denied', 'The target must be your own account.')
  return { data: { status: await pushSubscriptions.update(user, authSessionId, body) } }
}
