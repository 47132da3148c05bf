import type { AddressInfo } from 'node:net'
import { versionOf } from '@lectern/common/version'
import type { Logger } from 'pino'
import { localUrl } from './address.ts'
import { localSupervision } from './calls/supervision.ts'
import type { Clock } from './clock.ts'
import { DatabaseClock } from './cluster/database-clock.ts'
import { composeAccounts } from './compose/accounts.ts'
import { composeCalls } from './compose/calls.ts'
import { followDatabaseClock } from './compose/clock.ts'
import { composeCluster } from './compose/cluster.ts'
import type { ServerContext } from './compose/context.ts'
import { composeDrain } from './compose/drain.ts'
import { composeHttp } from './compose/http.ts'
import { handOver } from './compose/leases.ts'
import { composePartners } from './compose/partners.ts'
import { composePush } from './compose/push.ts'
import { composeRelay } from './compose/relay.ts'
import { schedule } from './compose/schedule.ts'
import { composeSessions } from './compose/sessions.ts'
import { composeStores } from './compose/stores.ts'
import { composeTracing, type TracingPart } from './compose/tracing.ts'
import { startWorkers } from './compose/workers.ts'
import type { Config } from './config/index.ts'
import { DomainEvents } from './domain-events.ts'
import { Lifetime } from './lifetime.ts'
import { createLog } from './log.ts'
import { closeOwnFolders } from './private-folders.ts'
import { Scheduler } from './scheduler.ts'
import { ServerUrl } from './server-url.ts'
import { startLiveSessions } from './sessions/live-sessions.ts'
import { logUnhandledRejections } from './unhandled-rejections.ts'

export { type Config, ConfigError, loadConfig } from './config/index.ts'

export interface RunningServer {
  /** Where it listens, e.g. `http://127.0.0.1:8080`. */
  url: string
  /** Completes the requests in progress, then closes everything. Safe to call twice. */
  close(): Promise<void>
}

const version = versionOf(import.meta.url)

export async function startServer(
  config: Config,
  log: Logger = createLog(config.Server.LogLevel),
  localClock: Clock = Date.now,
): Promise<RunningServer> {
  const lifetime = new Lifetime(log)
  lifetime.own('unhandled rejections', logUnhandledRejections(log), stop => stop())
  const clock = new DatabaseClock(localClock, log)
  try {
    // Closed last, so that the traces of the other parts are sent.
    const traces = await composeTracing('server', { config, version, log }, lifetime)
    const parts = { config, version, log, clock: clock.now, lifetime, tracing: traces.tracing }
    const scheduler = new Scheduler(log)
    const domainEvents = new DomainEvents(log)
    return await start({ ...parts, scheduler, domainEvents, url: new ServerUrl(config) }, traces, clock)
  } catch (error) {
    await lifetime.close()
    throw error
  }
}

/** Composes the parts of the server, each from those before it, and starts them. */
async function start(
  context: ServerContext,
  traces: TracingPart,
  clock: DatabaseClock,
): Promise<RunningServer> {
  const { config, lifetime, scheduler, url } = context
  closeOwnFolders(config)

  const cluster = await composeCluster(context)
  const stores = await composeStores(context)
  await followDatabaseClock(context, stores, cluster, clock)
  await cluster.assertSharedSecret()
  const accounts = composeAccounts(context, stores, cluster)
  const sessions = await composeSessions(context, stores, cluster)
  const partners = await composePartners(context, stores, accounts, sessions, cluster)
  const calls = composeCalls(context, stores, sessions, {
    permissions: sessions.messaging.permissions,
    ...sessions.callPresence,
    supervision: cluster.network
      ? stores.callSupervision(cluster.identity.id)
      : localSupervision(stores.calls),
  })
  const push = composePush(context, stores, sessions)
  await startLiveSessions(sessions)
  lifetime.own('scheduler', scheduler, each => each.stop())
  const relay = await composeRelay(context, cluster, accounts, sessions)
  const parts = [context, stores, accounts, sessions, calls, partners, push, relay, cluster, traces] as const
  const { app, control, administration, certificate } = await composeHttp(...parts)
  schedule(context, stores, accounts, sessions, calls, partners, push, control, administration, certificate)

  await app.listen({ host: config.Server.Host, port: config.Server.Port })
  url.local = localUrl(config, (app.server.address() as AddressInfo).port)
  if (accounts.keys.configured)
    lifetime.own('workers', await startWorkers(context, accounts), workers => workers.stop())
  // Closed before all else, so that people are at other servers while this one finishes its work.
  if (cluster.network) lifetime.own('sessions', sessions.upkeep, handOver)
  await composeDrain(context, cluster, sessions, control)
  return { url: url.local, close: lifetime.close }
}
