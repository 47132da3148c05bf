import { AuditLog } from '../operations/audit/audit-log.ts'
import type { Actor } from '../operations/audit/ports.ts'
import { unixSeconds } from '../platform/clock.ts'
import { Retention } from '../records/retention.ts'
import type { ServerContext } from './context.ts'
import type { SessionsPart } from './sessions.ts'
import type { Stores } from './stores.ts'

/** The configuration file decides, and whoever can change it has the command line, too. */
const ACTOR: Actor = { kind: 'command_line', name: '[Retention]', address: null }

export function composeRetention(
  { config, clock, log }: ServerContext,
  stores: Stores,
  { records }: SessionsPart,
): Retention {
  const { Recordings, Chats, Guests } = config.Retention
  const audit = new AuditLog(stores.audit, clock)
  return new Retention({
    store: stores.retention,
    removeRecording: jobId =>
      audit.run(
        { actor: ACTOR, action: 'recording.delete', target: jobId, details: { older_than_days: Recordings } },
        () => records.ownRecordings.removeAny(jobId),
      ),
    anonymizeGuests: (beforeMs, limit) => stores.users.anonymizeGuests(beforeMs, limit, unixSeconds(clock)),
    days: { recordings: Recordings || null, chats: Chats || null, guests: Guests || null },
    clock,
    log,
  })
}
