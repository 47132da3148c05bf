import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AuthSessions } from '../accounts/auth-sessions.ts'
import { Jwt } from '../accounts/jwt.ts'
import { Keys } from '../accounts/keys.ts'
import { buildServer } from '../http/server.ts'
import { loadConfig } from '../main.ts'
import { administrationRoutes } from '../operations/admin/index.ts'
import { RequestDurations } from '../operations/telemetry/request-durations.ts'
import { createIntegration } from '../partners/index.ts'
import { createLog } from '../platform/log.ts'
import { noTracing } from '../platform/tracing.ts'

export const JWT_SECRET = 'a secret of tests, long enough to be one'

/** A part of the server that a refused request MUST NOT reach. */
// biome-ignore lint/suspicious/noExplicitAny: stands in for every part
const unreachable = (name: string): any =>
  new Proxy(
    {},
    {
      get: (_, key) => () => {
        throw new Error(`${name}.${String(key)} was reached`)
      },
    },
  )

/**
 * The HTTP server with all its routes and none of the parts behind them: for what is decided before a handler is called, and
 * for the descriptions of the routes.
 */
export async function openRoutes() {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-test-'))
  const ini = `[Server]\nJwtSecret = ${JWT_SECRET}\nMetricsToken = a token of metrics\n[Limits]\nEnabled = 0\n`
  writeFileSync(join(folder, 'lectern.ini'), ini)
  const webFolder = join(folder, 'web')
  mkdirSync(webFolder)
  writeFileSync(join(webFolder, 'index.css'), '')
  const keys = new Keys(JWT_SECRET)
  const jwt = new Jwt(keys, Date.now)
  const accounts = unreachable('accounts')
  const stores = unreachable('stores')
  const sessions = new AuthSessions({ store: stores, jwt, keys, clock: Date.now, guestExpiryDays: 1 })
  const shared = { accounts, sessions, jwt, version: '0', publicUrl: () => 'https://meet.example.org' }
  const { integration } = createIntegration({
    ...shared,
    keys,
    clock: Date.now,
    stores: {
      serviceAccounts: stores,
      rooms: stores,
      participants: stores,
      webhooks: stores,
      deliveries: stores,
    },
    deliveries: unreachable('deliveries'),
    conferences: unreachable('conferences'),
    slides: unreachable('slides'),
    hasTranscriber: unreachable('hasTranscriber'),
    plainLink: 'closed',
    allowInsecureWebhooks: false,
    isLimited: true,
    v2: { ...unreachable('version 2'), stores: {}, archive: {}, auditOwners: () => {} },
  })
  const app = await buildServer({
    ...shared,
    integration,
    config: loadConfig(join(folder, 'lectern.ini'), {}),
    log: createLog('silent'),
    clock: Date.now,
    webFolder,
    isReady: async () => true,
    gauges: {},
    requests: new RequestDurations(),
    passwordLogin: unreachable('passwordLogin'),
    ownAccount: unreachable('ownAccount'),
    calendars: unreachable('calendars'),
    unsubscribing: unreachable('unsubscribing'),
    invitations: unreachable('invitations'),
    passwordReset: null,
    singleSignOn: null,
    relay: null,
    passing: null,
    tracing: noTracing,
    certificate: null,
    multiplexer: null,
    directory: unreachable('directory'),
    archive: unreachable('archive'),
    ownRecordings: unreachable('ownRecordings'),
    blobs: unreachable('blobs'),
    administration: administrationRoutes(unreachable('administration')),
    uploads: unreachable('uploads'),
    files: unreachable('files'),
    jobs: unreachable('jobs'),
    members: unreachable('members'),
    contacts: unreachable('contacts'),
    control: { drain: () => {} } as never,
    probes: unreachable('probes'),
    whip: unreachable('whip'),
    isPushEnabled: false,
    deploymentId: 'd.test',
    pushPublicKey: '',
  })
  await app.ready()
  const close = async () => {
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { app, jwt, close }
}
