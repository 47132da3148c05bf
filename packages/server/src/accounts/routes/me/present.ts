import type { MeResponse, SignInView } from '@lectern/protocol'
import type { OwnAccount, SignedIn } from '../../own-account.ts'
import type { AuthSession, User } from '../../ports.ts'
import { presentUser } from '../../present.ts'

export const presentMe = (
  user: User,
  { sendsMail, hasPassword }: Pick<OwnAccount, 'sendsMail' | 'hasPassword'>,
): MeResponse => ({
  result: 200,
  ...presentUser(user),
  language: user.language,
  email: user.email,
  missed_call_mails: sendsMail && user.email !== null ? user.missedCallMails : null,
  has_password: hasPassword(user),
})

export const presentSignIn =
  ({ sessionId }: SignedIn) =>
  (session: AuthSession): SignInView => ({
    id: session.id,
    browser: session.browser,
    platform: session.platform,
    created_at_ms: session.createdAt * 1000,
    used_at_ms: session.usedAt * 1000,
    is_current: session.id === sessionId,
  })
