import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ControlServer } from '../control/control-server.ts'
import { newId } from '../control/ids.ts'
import { answerBudget, FrameLimiter, notificationBudget } from '../control/limits/account-budgets.ts'
import { resultLimits } from '../control/limits/constants.ts'
import { LobbyRateLimiter } from '../control/limits/lobby-limiter.ts'
import { SignalLimiter } from '../control/limits/signal-limiter.ts'
import { RefusedJoins } from '../control/refused-joins.ts'
import { createAuthenticator } from '../control/socket/authenticator.ts'
import { ResumeTokens } from '../control/v2/resume-tokens.ts'
import { buildServer } from '../http/server.ts'
import { CertificateReloader } from '../http/tls/certificate-reloader.ts'
import { ConnectionProbes } from '../media/connection-probes.ts'
import { turnAccess } from '../media/turn.ts'
import { Calendars } from '../messaging/calendar.ts'
import { calendarStore } from '../messaging/stores/calendar.ts'
import type { AccountsPart } from './accounts.ts'
import { composeAdministration } from './administration.ts'
import type { CallsPart } from './calls.ts'
import type { Cluster } from './cluster/cluster.ts'
import type { ServerContext } from './context.ts'
import { gaugesOf } from './gauges.ts'
import type { MissedCallsPart } from './mail.ts'
import type { PartnersPart } from './partners.ts'
import type { PushPart } from './push.ts'
import type { SessionsPart } from './sessions.ts'
import { composeSso } from './sso.ts'
import type { Stores } from './stores.ts'
import type { TracingPart } from './tracing.ts'
import { composeTurn, type TurnPart } from './turn.ts'
import { composeWhip } from './whip.ts'

const webFolder = join(dirname(createRequire(import.meta.url).resolve('@lectern/web/package.json')), 'dist')

/** Creates the HTTP server, which does not listen yet, and the control channel. */
export async function composeHttp(
  context: ServerContext,
  stores: Stores,
  accounts: AccountsPart,
  sessions: SessionsPart,
  calls: CallsPart,
  partners: PartnersPart,
  push: PushPart,
  { unsubscribing }: MissedCallsPart,
  cluster: Cluster,
  traces: TracingPart,
) {
  const { config, clock, log, lifetime, version, url, tracing } = context
  const deploymentId = accounts.keys.deploymentId ?? newId('d')
  const turn = await composeTurn(context, accounts.keys)
  const control = composeControl(
    deploymentId,
    context,
    stores,
    accounts,
    sessions,
    calls,
    partners,
    push,
    turn,
  )
  const { archive, ownRecordings } = sessions.records
  const administration = composeAdministration(
    context,
    stores,
    accounts,
    sessions,
    partners,
    control,
    cluster,
  )
  const relay = cluster.openRelay(accounts.keys, sessions.registry)
  const certificate = await CertificateReloader.open({ files: config.Server, clock, log })
  const app = await buildServer({
    config,
    certificate,
    multiplexer: turn.multiplexer,
    log,
    clock,
    version,
    deploymentId,
    tracing,
    ...accounts,
    singleSignOn: composeSso(context, stores, accounts),
    integration: partners.integration,
    blobs: stores.blobs,
    archive,
    ownRecordings,
    administration: administration.routes,
    requests: administration.requests,
    uploads: sessions.uploads,
    files: sessions.files,
    directory: sessions.directory,
    members: sessions.messaging.messaging.members,
    calendars: new Calendars({
      store: calendarStore(stores.main.db),
      users: stores.users,
      publicUrl: url.public,
      clock,
    }),
    contacts: stores.contacts,
    unsubscribing,
    jobs: sessions.jobs,
    publicUrl: url.public,
    control,
    ...relay,
    whip: composeWhip(context, accounts, partners, control),
    isPushEnabled: config.Push.Enabled,
    pushPublicKey: push.publicKey,
    probes: new ConnectionProbes({ media: sessions.media, turn: turn.settings, clock }),
    webFolder,
    isReady: async () => !sessions.upkeep.isHandedOver && (await stores.isReady()),
    gauges: {
      ...gaugesOf(stores, sessions, partners, push, control, cluster, certificate),
      ...traces.gauges,
      ...turn.gauges,
      ...administration.gauges,
    },
  })
  lifetime.own('http', app, server => server.close())
  return { app, control, administration, certificate }
}

function composeControl(
  deploymentId: string,
  { config, clock, log, domainEvents, tracing }: ServerContext,
  { accessVersion }: Stores,
  { keys, sessions: authSessions }: AccountsPart,
  {
    media,
    jobs,
    conferences,
    participants,
    reports,
    boards,
    messaging,
    registry,
    streams,
    graceMs,
    rates,
  }: SessionsPart,
  { calls }: CallsPart,
  { integration }: PartnersPart,
  { subscriptions: pushSubscriptions }: PushPart,
  turn: TurnPart,
): ControlServer {
  const notifications = notificationBudget(clock, rates.notifications)
  const control = new ControlServer({
    authenticator: createAuthenticator(authSessions, integration, accessVersion),
    media,
    jobs: jobs.leased,
    pushSubscriptions,
    turnAccess: userId => turnAccess(turn.settings(), String(userId), clock()),
    conferences,
    participants,
    reports,
    boards,
    calls,
    messaging: messaging.messaging,
    registry,
    streams,
    clock,
    monotonicMs: () => performance.now(),
    log,
    tracing,
    deploymentId,
    resumeTokens: new ResumeTokens({ keys: () => keys.deriveAccepted('resume tokens'), clock }),
    graceMs,
    capacity: {
      total: config.Limits.ControlConnections,
      perAccount: config.Limits.ControlConnectionsPerAccount,
      perAddress: config.Limits.Enabled ? config.Limits.ControlConnectionsPerAddress : null,
    },
    answers: answerBudget(clock, rates.answerBytes),
    notifications,
    signals: new SignalLimiter(clock, notifications),
    frames: new FrameLimiter(clock, rates.frames),
    refusedJoins: new RefusedJoins(),
    lobbyLimiter: new LobbyRateLimiter(clock, rates.lobby),
    resultLimits: resultLimits(),
  })
  domainEvents.subscribe('session-lost', ({ sessionId }) => control.closeSession(sessionId))
  domainEvents.subscribe('waiters-misplaced', ({ connectionIds }) => control.closeConnections(connectionIds))
  return control
}
