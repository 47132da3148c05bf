import type { Logger } from 'pino'
import type { DomainEvents } from '../domain-events.ts'
import type { Clock } from '../platform/clock.ts'
import type { Config } from '../platform/config/index.ts'
import type { LastTime } from '../platform/last-time.ts'
import type { Lifetime } from '../platform/lifetime.ts'
import type { Scheduler } from '../platform/scheduler.ts'
import type { ServerUrl } from '../platform/server-url.ts'
import type { Tracing } from '../platform/tracing.ts'

/** The context in which every part of the server is composed. */
export interface ServerContext {
  config: Config
  version: string
  log: Logger
  clock: Clock
  /** For durations within this process: `clock`, but it never goes back. */
  monotonicMs: Clock
  lastTime: LastTime
  lifetime: Lifetime
  scheduler: Scheduler
  domainEvents: DomainEvents
  url: ServerUrl
  tracing: Tracing
}
