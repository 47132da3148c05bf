import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import { AccessVersion } from './access-version.ts'
import { Accounts } from './accounts/accounts.ts'
import { FailureLimiter } from './accounts/failure-limiter.ts'
import { Jwt } from './accounts/jwt.ts'
import { Keys } from './accounts/keys.ts'
import { PasswordLogin } from './accounts/password-login.ts'
import { Sessions } from './accounts/sessions.ts'
import { localUrl, mediaHostAddress } from './address.ts'
import type { Config } from './config/index.ts'
import { ControlServer } from './control/control-server.ts'
import { newId } from './control/ids.ts'
import { AnswerBudget } from './control/limits/answer-budget.ts'
import { chatLimiter } from './control/limits/chat-limiter.ts'
import { FrameLimiter } from './control/limits/frame-limiter.ts'
import { LobbyRateLimiter } from './control/limits/lobby-limiter.ts'
import { NotificationBudget } from './control/limits/notification-budget.ts'
import { controlRates } from './control/limits/rates.ts'
import { createMediaEventPublisher } from './control/media-event-publisher.ts'
import { createAuthenticator } from './control/socket/authenticator.ts'
import { authSessionStore } from './db/auth-sessions.ts'
import { chatStore } from './db/chat.ts'
import { sessionStore } from './db/conference-sessions.ts'
import { ordinaryConferenceStore } from './db/conferences.ts'
import { jobStore } from './db/jobs.ts'
import { openMainStore } from './db/open.ts'
import { userStore } from './db/users.ts'
import { Directory } from './directory/directory.ts'
import { DomainEvents } from './domain-events.ts'
import type { Integration } from './hooks.ts'
import { Jobs } from './jobs/jobs.ts'
import { Lifetime } from './lifetime.ts'
import { loadIntegration } from './load-integration.ts'
import { loadRecords } from './load-records.ts'
import { createLog } from './log.ts'
import { Probes } from './media/probe.ts'
import { Sfu } from './media/sfu.ts'
import { iceServers } from './media/turn.ts'
import { closeOwnFolders } from './private-folders.ts'
import { buildServer } from './server.ts'
import { ConferenceSessions } from './sessions/conference-sessions.ts'
import { LocalLeases } from './sessions/leases.ts'
import { SessionRegistry } from './sessions/session-registry.ts'
import { hasTranscriber, startWorkers } from './start-workers.ts'
import { Streams } from './streams/streams.ts'
import type { Gauges } from './telemetry/metrics.ts'

export { type Config, ConfigError, loadConfig } from './config/index.ts'

export interface RunningServer {
  /** Where it listens, e.g. `http://127.0.0.1:8080`. */
  url: string
  /** Answers what is under way, then closes everything. Safe to call twice. */
  close(): Promise<void>
}

const SWEEP_EVERY_MS = 3_600_000
/** What a start is for comes first. */
const FIRST_SWEEP_AFTER_MS = 60_000
const TICK_EVERY_MS = 1_000

const { version } = createRequire(import.meta.url)('../package.json') as { version: string }
const webFolder = join(dirname(createRequire(import.meta.url).resolve('@lectern/web/package.json')), 'dist')

/** Chooses the implementations and starts the service. This is the only place that knows them all. */
export async function startServer(
  config: Config,
  log: Logger = createLog(config.Server.LogLevel),
): Promise<RunningServer> {
  const lifetime = new Lifetime(log)
  try {
    return await start(config, log, lifetime)
  } catch (error) {
    await lifetime.close()
    throw error
  }
}

async function start(config: Config, log: Logger, lifetime: Lifetime): Promise<RunningServer> {
  const clock = Date.now
  const keys = new Keys(config.Server.JwtSecret)
  if (!keys.configured)
    log.warn('[Server] JwtSecret is not set: nobody can sign in, and no partner gets a token')

  closeOwnFolders(config)
  const main = lifetime.own('main store', await openMainStore(config.Db.Url), store => store.close())
  const accessVersion = new AccessVersion()
  accessVersion.watch(main.dataVersion)
  const users = userStore(main.db, accessVersion.bump)
  const accounts = new Accounts(users, clock)
  const jwt = new Jwt(keys, clock)
  const guestExpiryDays = config.Conferences.GuestExpiryDays
  const authSessions = authSessionStore(main.db, accessVersion.bump)
  const sessions = new Sessions({ store: authSessions, jwt, keys, clock, guestExpiryDays })
  const limiter = config.Limits.Enabled ? new FailureLimiter(config.Limits, clock) : null
  const passwordLogin = new PasswordLogin({ users, sessions, limiter })
  const records = await loadRecords(config, {
    db: main.db,
    clock,
    log,
    integration: () => integration,
    heldBy: userId => jobs.heldBy(userId),
  })
  const sweep = () => {
    for (const work of [sessions.sweep(), records.sweep(), jobs.sweep()])
      work.catch(error => log.error({ err: error }, 'sweep failed'))
  }
  lifetime.own('first sweep', setTimeout(sweep, FIRST_SWEEP_AFTER_MS), clearTimeout)
  lifetime.own('sweep', setInterval(sweep, SWEEP_EVERY_MS), clearInterval)

  const rates = controlRates(config.Limits)
  const graceMs = config.Conferences.EmptyGraceSeconds * 1000
  const domainEvents = new DomainEvents(log)
  const conferenceSessions = sessionStore(main.db)
  const chat = chatStore(main.db)
  const registry = new SessionRegistry({ leases: new LocalLeases(conferenceSessions), chat, clock })
  const streams = new Streams(clock, sessionId => registry.state(sessionId)?.state ?? null)
  const media = lifetime.own(
    'media workers',
    await Sfu.start(mediaSettings(config), {
      events: createMediaEventPublisher(domainEvents, streams),
      log,
    }),
    sfu => sfu.stop(),
  )
  const turn = { urls: config.Turn.Urls, secret: config.Turn.Secret }
  const directory = new Directory({
    store: ordinaryConferenceStore(main.db),
    integration: () => integration,
    live: {
      isLive: tag => registry.isLive(tag),
      end: (tag, reason) => conferences.end(tag, reason),
      reconsider: tag => conferences.reevaluateLobby(tag),
    },
    clock,
  })
  const jobs = new Jobs({
    store: jobStore(main.db),
    sessions: registry,
    domainEvents,
    workers: streams,
    recordingParams: { profile: config.Recorder.Profile },
    results: records.results,
    clock,
    log,
  })
  const conferences: ConferenceSessions = new ConferenceSessions({
    directory,
    registry,
    domainEvents,
    sessions: conferenceSessions,
    chat,
    chatLimiter: chatLimiter(clock, rates.chat),
    media,
    events: streams,
    jobs,
    clock,
    graceMs,
  })
  accounts.onRenamed(user => streams.accountChanged(user))

  let url = ''
  const publicUrl = () => config.Integration.PublicUrl || url
  const partners = await loadIntegration(config, lifetime, log, {
    accessVersion,
    accounts,
    conferences: {
      isLive: tag => registry.isLive(tag),
      end: (tag, reason) => conferences.end(tag, reason),
    },
    sessions,
    jwt,
    keys,
    clock,
    version,
    hasTranscriber: () => hasTranscriber(config, accounts),
    publicUrl,
    plainLink: config.Integration.PlainLink,
  })
  const integration: Integration = partners.integration
  lifetime.own('outbox', records.outbox, outbox => outbox.stop())
  void records.outbox.look()

  const control = new ControlServer({
    authenticator: createAuthenticator(sessions, integration, accessVersion),
    media,
    jobs,
    iceServers: userId => iceServers(turn, String(userId), clock()),
    conferences,
    registry,
    streams,
    clock,
    log,
    deploymentId: keys.configured ? `d.${keys.derive('deployment id').toString('hex', 0, 12)}` : newId('d'),
    graceMs,
    capacity: {
      total: config.Limits.ControlConnections,
      perAccount: config.Limits.ControlConnectionsPerAccount,
      perAddress: config.Limits.Enabled ? config.Limits.ControlConnectionsPerAddress : null,
    },
    answers: new AnswerBudget(clock, rates.answerBytes),
    notifications: new NotificationBudget(clock, rates.notifications),
    frames: new FrameLimiter(clock, rates.frames),
    lobbyLimiter: new LobbyRateLimiter(clock, rates.lobby),
  })
  const tick = () => {
    control.tick()
    conferences.sweep().catch(error => log.error({ err: error }, 'a session could not be ended yet'))
    void jobs.tick()
    void records.outbox.tick()
  }
  await conferences.start()
  lifetime.own('tick', setInterval(tick, TICK_EVERY_MS), clearInterval)

  const isReady = async () => {
    await main.db.selectFrom('users').select('id').limit(1).execute()
    return true
  }
  const parts = {
    config,
    log,
    version,
    accounts,
    passwordLogin,
    sessions,
    integration,
    ...records,
    directory,
    conferences,
    jobs,
    jwt,
    publicUrl,
    control,
    probes: new Probes({ workers: media.workers, turn, clock }),
    webFolder,
    isReady,
    readings: {
      ...partners.readings,
      ...records.readings,
      ...jobs.readings,
      ...crowdReadings(control, conferences),
      media_worker_descriptors_ratio: {
        help: 'Share of its file descriptors that the fullest media worker has open.',
        read: () => media.descriptorShare(),
      },
    },
  }
  const app = lifetime.own('http', await buildServer(parts), server => server.close())
  await app.listen({ host: config.Server.Host, port: config.Server.Port })
  url = localUrl(config, (app.server.address() as AddressInfo).port)
  if (keys.configured) {
    // A certificate is rarely good for the address on this machine.
    const workerUrl = config.Server.TlsCert ? publicUrl() : url
    const workers = startWorkers(config, { accounts, sessions, clock, log, url: workerUrl })
    lifetime.own('workers', workers, each => each.stop())
  }
  return { url, close: lifetime.close }
}

const crowdReadings = (control: ControlServer, conferences: ConferenceSessions): Gauges => ({
  control_connections: { help: 'Open connections of the control channel.', read: () => control.size },
  conference_sessions: {
    help: 'Conference sessions that are open.',
    read: () => conferences.size.sessions,
  },
  conference_participants: {
    help: 'Participants of open sessions, away ones included.',
    read: () => conferences.size.participants,
  },
  conference_waiting: {
    help: 'Accounts that wait to be admitted, each conference for itself.',
    read: () => conferences.size.waiting,
  },
})

const mediaSettings = (config: Config) => ({
  listenIp: config.Media.ListenIp,
  announcedAddress: config.Media.AnnouncedAddress,
  hostAddress: () => mediaHostAddress(config),
  port: config.Media.Port,
  workers: config.Media.Workers,
  maxIncomingBitrate: config.Media.MaxIncomingKbps * 1000,
})
