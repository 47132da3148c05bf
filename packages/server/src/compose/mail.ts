import { MissedCallMails } from '../messaging/missed-calls/service.ts'
import { Unsubscribing } from '../messaging/missed-calls/unsubscribing.ts'
import { mailerSettings } from '../platform/config/mail.ts'
import { Mailer } from '../platform/mail/mailer.ts'
import type { AccountsPart } from './accounts.ts'
import type { ServerContext } from './context.ts'
import type { Stores } from './stores.ts'

/** Null: the server sends no mail. */
export function composeMailer({ config: { Mail }, lifetime }: ServerContext): Mailer | null {
  if (Mail.Url === '') return null
  return lifetime.own('mailer', new Mailer(mailerSettings(Mail)), each => each.close())
}

export type MissedCallsPart = ReturnType<typeof composeMissedCalls>

/** Mails of missed calls. Links to unsubscribe in earlier mails work even while the server sends none. */
export function composeMissedCalls(
  { config, clock, log, lifetime, lastTime, url }: ServerContext,
  { users, missedCallMails: store }: Stores,
  { keys }: AccountsPart,
  mailer: Mailer | null,
) {
  const unsubscribing = new Unsubscribing(keys, users)
  if (!mailer) return { unsubscribing, mails: null }
  const mails = new MissedCallMails({
    store,
    mailer,
    language: config.Mail.Language,
    publicUrl: url.public,
    unsubscribePath: userId => `/api/v1.0/missed-call-mails/${unsubscribing.tokenOf(userId)}`,
    clock,
    log,
    setBackMs: lastTime.setBackMs,
  })
  return { unsubscribing, mails: lifetime.own('mails of missed calls', mails, each => each.stop()) }
}
