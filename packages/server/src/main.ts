import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { versionOf } from '@lectern/common/version'
import type { Logger } from 'pino'
import { DatabaseClock } from './cluster/leases/database-clock.ts'
import { composeAccounts } from './compose/accounts.ts'
import { composeCalls } from './compose/calls.ts'
import type { Cluster } from './compose/cluster/cluster.ts'
import { SingleServer } from './compose/cluster/single-server.ts'
import type { ServerContext } from './compose/context.ts'
import { composeHttp } from './compose/http.ts'
import { composeMailer, composeMissedCalls } from './compose/mail.ts'
import { composePartners } from './compose/partners.ts'
import { composePush } from './compose/push.ts'
import { schedule } from './compose/schedule.ts'
import { composeSessions } from './compose/sessions.ts'
import { composeStores } from './compose/stores.ts'
import { composeTracing, type TracingPart } from './compose/tracing.ts'
import { startWorkers } from './compose/workers.ts'
import { DomainEvents } from './domain-events.ts'
import { localUrl } from './platform/address.ts'
import { type Clock, steadyClock } from './platform/clock.ts'
import { isClustered } from './platform/config/cluster.ts'
import type { Config } from './platform/config/index.ts'
import { LastTime } from './platform/last-time.ts'
import { Lifetime } from './platform/lifetime.ts'
import { createLog } from './platform/log.ts'
import { closeOwnFolders } from './platform/private-folders.ts'
import { Scheduler } from './platform/scheduler.ts'
import { ServerUrl } from './platform/server-url.ts'
import { logUnhandledRejections } from './platform/unhandled-rejections.ts'
import { startLiveSessions } from './sessions/live-sessions.ts'

export { type Config, ConfigError, loadConfig } from './platform/config/index.ts'

export interface RunningServer {
  /** The address it listens on, e.g. `http://127.0.0.1:8080`. */
  url: string
  /** Completes the requests in progress, then closes everything. Safe to call twice. */
  close(): Promise<void>
}

const version = versionOf(import.meta.url)

/** Starts the server and resolves once it listens. After a failure nothing of it stays open. */
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
    const clocks = { clock: clock.now, monotonicMs: steadyClock(clock.now) }
    const lastTime = new LastTime(join(config.Server.DataDir, 'last-time'), clock.now)
    const parts = { config, version, log, ...clocks, lastTime, lifetime, tracing: traces.tracing }
    const scheduler = new Scheduler(log)
    const domainEvents = new DomainEvents(log)
    return await start({ ...parts, scheduler, domainEvents, url: new ServerUrl(config) }, traces, clock)
  } catch (error) {
    await lifetime.close()
    throw error
  }
}

/** The code that connects servers is loaded only by members of a cluster. */
const openCluster = async (context: ServerContext): Promise<Cluster> =>
  isClustered(context.config.Cluster)
    ? (await import('./compose/cluster/nats-cluster.ts')).NatsCluster.connect(context)
    : new SingleServer(context)

/** Composes the parts of the server, each from those before it, and starts them. */
async function start(
  context: ServerContext,
  traces: TracingPart,
  clock: DatabaseClock,
): Promise<RunningServer> {
  const { config, lifetime, lastTime, scheduler, url } = context
  closeOwnFolders(config)

  const cluster = await openCluster(context)
  const stores = await composeStores(context)
  await cluster.adjustClock(clock, stores)
  await lastTime.read()
  lifetime.own('time', lastTime, each => each.save())
  await cluster.assertSharedSecret()
  const mailer = composeMailer(context)
  const accounts = composeAccounts(context, stores, cluster, mailer)
  const sessions = await composeSessions(context, stores, cluster)
  const partners = await composePartners(context, stores, accounts, sessions, cluster)
  const calls = composeCalls(context, stores, sessions, {
    permissions: sessions.messaging.permissions,
    ...sessions.callPresence,
    supervision: cluster.superviseCalls(stores),
  })
  const push = composePush(context, stores, sessions)
  const missedCalls = composeMissedCalls(context, stores, accounts, mailer)
  await startLiveSessions(sessions)
  lifetime.own('scheduler', scheduler, each => each.stop())
  const parts = [
    context,
    stores,
    accounts,
    sessions,
    calls,
    partners,
    push,
    missedCalls,
    cluster,
    traces,
  ] as const
  const { app, control, administration, certificate } = await composeHttp(...parts)
  const scheduled = [context, stores, accounts, sessions, calls, partners, push, missedCalls] as const
  schedule(...scheduled, control, administration, certificate)

  await app.listen({ host: config.Server.Host, port: config.Server.Port })
  url.local = localUrl(config, (app.server.address() as AddressInfo).port)
  missedCalls.mails?.start() // its links contain the address
  if (accounts.keys.configured)
    lifetime.own('workers', await startWorkers(context, accounts), workers => workers.stop())
  cluster.serveHandOver(sessions, control)
  return { url: url.local, close: lifetime.close }
}
