import { requireOwnAccount } from './accounts.ts'
import type { Handler } from './command.ts'

/** The connection determines the account, not the body (rule PUSH-1). */
export const updateSubscription: Handler<'push_subscription_update'> = async (
  { pushSubscriptions },
  sender,
  { target, body },
) => {
  requireOwnAccount(sender, target)
  const { user, authSessionId } = sender.login
  return { data: { status: await pushSubscriptions.update(user, authSessionId, body) } }
}
