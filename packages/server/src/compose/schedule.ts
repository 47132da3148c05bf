import type { ControlServer } from '../control/control-server.ts'
import type { AccountsPart } from './accounts.ts'
import type { CallsPart } from './calls.ts'
import type { ServerContext } from './context.ts'
import type { PartnersPart } from './partners.ts'
import type { PushPart } from './push.ts'
import type { SessionsPart } from './sessions.ts'

const TICK_MS = 1_000
const SWEEP_MS = 3_600_000
const PUSH_SWEEP_MS = 60_000
/** A start has more urgent work than sweeping. */
const FIRST_SWEEP_AFTER_MS = 60_000

/** Everything that the server does periodically. */
export function schedule(
  { scheduler }: ServerContext,
  { sessions: authSessions }: AccountsPart,
  { conferences, verifyChats, streams, messaging, jobs, records }: SessionsPart,
  { calls, supervisor }: CallsPart,
  { outbox }: PartnersPart,
  { service: push }: PushPart,
  control: ControlServer,
  administration: { sweep(): Promise<unknown> },
): void {
  const everySecond = (run: () => unknown, onFailure: string) =>
    scheduler.add({ everyMs: TICK_MS, run, onFailure })
  everySecond(() => control.tick(), 'the control channel could not be checked')
  everySecond(() => conferences.sweep(), 'a session could not be ended yet')
  everySecond(() => supervisor.tick(), 'the calls could not be checked')
  everySecond(() => messaging.tick(), 'messages could not be published')
  everySecond(() => verifyChats(), 'the chats of sessions could not be verified')
  everySecond(() => streams.accounts.tick(), 'the states of accounts could not be verified')
  everySecond(() => jobs.tick(), 'jobs could not be checked')
  everySecond(() => outbox.tick(), 'the outbox could not be checked')

  const hourly = (run: () => unknown) =>
    scheduler.add({ everyMs: SWEEP_MS, firstAfterMs: FIRST_SWEEP_AFTER_MS, run, onFailure: 'sweep failed' })
  hourly(() => authSessions.sweep())
  hourly(() => records.sweep())
  hourly(() => jobs.sweep())
  hourly(() => administration.sweep())
  hourly(() => calls.sweep())
  hourly(() => messaging.sweep())

  if (!push) return
  everySecond(() => push.tick(), 'notifications of stored messages could not be completed')
  everySecond(() => push.refreshMetrics(), 'pushes could not be counted')
  scheduler.add({ everyMs: PUSH_SWEEP_MS, run: () => push.sweep(), onFailure: 'push sweep failed' })
}
