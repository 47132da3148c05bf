import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Config } from '../config/index.ts'
import type { DomainEvents } from '../domain-events.ts'
import type { Lifetime } from '../lifetime.ts'
import type { Scheduler } from '../scheduler.ts'
import type { ServerUrl } from '../server-url.ts'
import type { Tracing } from '../tracing.ts'

/** What every part of the server is composed with. */
export interface ServerContext {
  config: Config
  version: string
  log: Logger
  clock: Clock
  lifetime: Lifetime
  scheduler: Scheduler
  domainEvents: DomainEvents
  url: ServerUrl
  tracing: Tracing
}
