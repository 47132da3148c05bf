import { existsSync } from 'node:fs'
import { isPostgresUrl } from '../../platform/config/database.ts'
import { type Config, loadConfig, type Program } from '../../platform/config/index.ts'
import { backup } from './backup.ts'
import {
  type Check,
  type CheckContext,
  type DatabaseState,
  type Finding,
  fail,
  ok,
  type Records,
} from './check.ts'
import { clamd } from './clamd.ts'
import { clock } from './clock.ts'
import { nats, nodePort } from './cluster.ts'
import { diskSpace } from './disk.ts'
import { configMode, dataFolder } from './file-modes.ts'
import { isRunning } from './instance.ts'
import { mail } from './mail.ts'
import { mediaAddress, nodeAddress } from './network/media-address.ts'
import { publicUrl } from './network/public-url.ts'
import { turn } from './network/turn.ts'
import { port } from './port.ts'
import { findProgram } from './programs.ts'
import { push } from './push.ts'
import { developmentSettings, jwtSecret } from './settings.ts'
import { singleSignOn } from './sso.ts'
import { serviceAccounts, storage, stores } from './stores.ts'
import { tls } from './tls.ts'
import { webPages } from './web-pages.ts'
import { converter, recorder, transcriber } from './workers.ts'

export interface Report {
  /** No check failed; there MAY be warnings. */
  ok: boolean
  checks: ({ name: string } & Finding)[]
}

/** Access to modules of the server that the doctor does not import itself. */
export interface Probes {
  readRecords(config: Config): Promise<Records>
  /** Reads what a PostgreSQL database is like; throws what keeps it from connecting. */
  inspectDatabase(url: string): Promise<DatabaseState>
  /** Why the identity provider cannot be used; null if it can. */
  checkIssuer(config: Config): Promise<string | null>
  checkNats: CheckContext['checkNats']
  checkMail: CheckContext['checkMail']
  scan: CheckContext['scan']
  checkOffice: CheckContext['checkOffice']
  /** The name of the deployment; null without JwtSecret. */
  deploymentId(config: Config): string | null
  /** The TURN servers of browsers. */
  turnServers(config: Config): CheckContext['turnServers']
  /** The same credentials as browsers get. */
  turnCredentials: CheckContext['turnCredentials']
  /** Why the bucket of files cannot be used; null if it can. */
  checkBucket(config: Config): Promise<string | null>
  /** Starts and stops a media worker; returns its version. */
  checkMediaWorker(): Promise<string>
}

/** Checks that need a configuration. */
const configChecks: Record<string, Check> = {
  JwtSecret: jwtSecret,
  PublicUrl: publicUrl,
  TLS: tls,
  port,
  'data folder': dataFolder,
  stores,
  storage,
  'service accounts': serviceAccounts,
  'disk space': diskSpace,
  backup,
  recorder,
  transcriber,
  converter,
  clamd,
  clock,
  NATS: nats,
  'media address': mediaAddress,
  TURN: turn,
  push,
  mail,
  'single sign-on': singleSignOn,
  'development settings': developmentSettings,
}

/** Those of a media node, which has no database and serves no pages. */
const nodeChecks: Record<string, Check> = {
  port: nodePort,
  NATS: nats,
  'media address': nodeAddress,
}

const MEDIA_WORKER = 'media worker'
const NO_RECORDS: Records = { users: [], serviceAccounts: [], newestBackupMs: null }

/** Checks of the machine. */
const machineChecks = ({ checkMediaWorker }: Probes): Record<string, () => Finding | Promise<Finding>> => ({
  [MEDIA_WORKER]: () => mediaWorker(checkMediaWorker),
  ffmpeg: () => findProgram('ffmpeg'),
  ffprobe: () => findProgram('ffprobe'),
  'web pages': webPages,
})

/** Runs all checks; an unreadable configuration skips those that depend on it. Never throws. */
export async function runChecks(
  file: string | undefined,
  env: NodeJS.ProcessEnv,
  probes: Probes,
  program: Program = 'server',
): Promise<Report> {
  const { config, finding } = readConfig(file, env, program)
  const isServer = program === 'server'
  const context = config && (await contextOf(config, probes, isServer))
  const ofMachine = Object.entries(machineChecks(probes)).filter(
    ([name]) => isServer || name === MEDIA_WORKER,
  )
  const checks = await Promise.all([
    { name: 'config', ...finding },
    ...(context ? Object.entries(isServer ? configChecks : nodeChecks) : []).map(([name, check]) =>
      runCheck(name, () => check(context as CheckContext)),
    ),
    ...ofMachine.map(([name, check]) => runCheck(name, check)),
  ])
  return { ok: checks.every(({ status }) => status !== 'fail'), checks }
}

async function contextOf(config: Config, probes: Probes, hasStores: boolean): Promise<CheckContext> {
  const database = hasStores ? await inspectDatabase(config, probes) : null
  const deploymentId = probes.deploymentId(config)
  const records = hasStores ? await readRecords(config, database, probes) : NO_RECORDS
  return {
    config,
    database,
    records,
    checkIssuer: probes.checkIssuer,
    checkBucket: probes.checkBucket,
    checkNats: probes.checkNats,
    checkMail: probes.checkMail,
    scan: probes.scan,
    checkOffice: probes.checkOffice,
    isRunning: hasStores && (await isRunning(config, deploymentId)),
    deploymentId,
    turnServers: probes.turnServers(config),
    turnCredentials: probes.turnCredentials,
  }
}

async function runCheck(name: string, check: () => Finding | Promise<Finding>) {
  try {
    return { name, ...(await check()) }
  } catch (error) {
    return { name, ...fail(`The check itself failed: ${(error as Error).message}`, 'Report this as a bug.') }
  }
}

function readConfig(
  file: string | undefined,
  env: NodeJS.ProcessEnv,
  program: Program,
): { config?: Config; finding: Finding } {
  const path = file ?? (env.SVC_CONFIG || 'lectern.ini')
  try {
    const config = loadConfig(file, env, program)
    return {
      config,
      finding: existsSync(path) ? configMode(path) : ok('No file; using defaults and environment variables.'),
    }
  } catch (error) {
    return { finding: fail((error as Error).message, 'Correct it; docs/configuration.md lists all keys.') }
  }
}

const inspectDatabase = async ({ Db }: Config, probes: Probes): Promise<CheckContext['database']> =>
  isPostgresUrl(Db.Url) ? probes.inspectDatabase(Db.Url).catch((error: Error) => ({ error })) : null

/** Checks MUST NOT create anything: before the first start there are no databases. */
async function readRecords(
  config: Config,
  database: CheckContext['database'],
  probes: Probes,
): Promise<CheckContext['records']> {
  if (database && 'error' in database) return database
  const exists = database ? database.hasStores : existsSync(config.Db.Url)
  if (!exists) return NO_RECORDS
  return probes.readRecords(config).catch((error: Error) => ({ error }))
}

async function mediaWorker(checkMediaWorker: Probes['checkMediaWorker']): Promise<Finding> {
  try {
    return ok(`mediasoup ${await checkMediaWorker()}`)
  } catch (error) {
    const reason = (error as Error).message
    return fail(`Cannot be started: ${reason}.`, 'Run "npm start" once, or set MEDIASOUP_WORKER_BIN.')
  }
}
