import type { ControlServer } from '../control/control-server.ts'
import type { CertificateReloader } from '../http/tls/certificate-reloader.ts'
import type { AccountsPart } from './accounts.ts'
import type { CallsPart } from './calls.ts'
import type { ServerContext } from './context.ts'
import type { MissedCallsPart } from './mail.ts'
import type { PartnersPart } from './partners.ts'
import type { PushPart } from './push.ts'
import { composeRetention } from './retention.ts'
import type { SessionsPart } from './sessions.ts'
import type { Stores } from './stores.ts'

const TICK_MS = 1_000
const GRADES_MS = 2_000
const LAST_TIME_MS = 60_000
const PUSH_SWEEP_MS = 60_000

/** Everything that the server does periodically. */
export function schedule(
  context: ServerContext,
  stores: Stores,
  { sessions: authSessions }: AccountsPart,
  sessions: SessionsPart,
  { calls, supervisor }: CallsPart,
  { outbox, v2 }: PartnersPart,
  { service: push }: PushPart,
  { mails }: MissedCallsPart,
  control: ControlServer,
  administration: { sweep(): Promise<unknown> },
  certificate: CertificateReloader | null,
): void {
  const { scheduler, lastTime } = context
  const { main, users } = stores
  const { upkeep, verifyChats, documentChanges, streams, messaging, jobs, records } = sessions
  const everySecond = (run: () => unknown, onFailure: string) =>
    scheduler.add({ everyMs: TICK_MS, run, onFailure })
  everySecond(() => control.tick(), 'the control channel could not be checked')
  everySecond(() => upkeep.renewLeases(), 'the leases of sessions could not be renewed')
  everySecond(
    () => upkeep.openVacant(),
    'a session that nobody runs could not be opened: retried within a second',
  )
  everySecond(() => upkeep.sweep(), 'a session could not be ended yet')
  everySecond(() => supervisor.tick(), 'the calls could not be checked')
  everySecond(() => messaging.tick(), 'messages could not be published')
  everySecond(() => verifyChats(), 'the chats of sessions could not be verified')
  everySecond(() => documentChanges.tick(), 'changes of documents could not be published')
  everySecond(() => streams.accounts.tick(), 'the states of accounts could not be verified')
  everySecond(() => jobs.tick(), 'jobs could not be checked')
  everySecond(() => outbox.tick(), 'the outbox could not be checked')

  if (certificate) everySecond(() => certificate.reload(), 'the TLS certificate could not be checked')

  scheduler.add({ everyMs: LAST_TIME_MS, run: lastTime.save, onFailure: 'the time could not be stored' })

  // On one server at a time: the others would only wait for its locks.
  const hourly = (name: string, sweep: () => Promise<unknown>) => {
    const run = () => main.exclusively(`sweep of ${name}`, sweep)
    scheduler.addHourly({ run, onFailure: `sweep failed, retried in an hour: ${name}` })
  }
  hourly('sign-ins', async () => authSessions.sweep())
  hourly('deleted accounts', () => users.anonymizeDeleted())
  hourly('records', async () => records.sweep())
  const retention = composeRetention(context, stores, sessions)
  hourly('what is too old', () => retention.sweep())
  hourly('jobs', async () => jobs.sweep())
  hourly('the audit log', async () => administration.sweep())
  hourly('calls', async () => calls.sweep())
  hourly('messages', async () => messaging.sweep())
  if (mails) hourly('mails', () => mails.sweep())

  if (v2) {
    everySecond(() => v2.tick(), 'the events of rooms could not be published')
    hourly('the partner API', () => v2.sweep())
  }

  const lti = v2?.lti
  if (lti) scheduler.add({ everyMs: GRADES_MS, run: lti.tick, onFailure: 'attendance could not be reported' })

  if (!push) return
  everySecond(() => push.tick(), 'notifications of stored messages could not be completed')
  everySecond(() => push.refreshMetrics(), 'pushes could not be counted')
  scheduler.add({
    everyMs: PUSH_SWEEP_MS,
    run: () => push.sweep(),
    onFailure: 'sweep of pushes failed: retried',
  })
}
