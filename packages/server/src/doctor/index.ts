import { existsSync } from 'node:fs'
import { type Config, loadConfig } from '../config/index.ts'
import { type Check, type Finding, fail, ok, type Records, type Subject } from './check.ts'
import { clock } from './clock.ts'
import { diskSpace } from './disk.ts'
import { configMode, dataFolder } from './file-modes.ts'
import { port } from './port.ts'
import { findProgram } from './programs.ts'
import { jwtSecret, mediaAddress, publicUrl, turn } from './settings.ts'
import { serviceAccounts, storage, stores } from './stores.ts'
import { tls } from './tls.ts'
import { webPages } from './web-pages.ts'
import { recorder, transcriber } from './workers.ts'

export interface Report {
  /** No check failed; there may be warnings. */
  ok: boolean
  checks: ({ name: string } & Finding)[]
}

/** What the doctor reaches in rooms of the server that are closed to it. */
export interface Instruments {
  readRecords(config: Config): Promise<Records>
  /** Starts a media worker and ends it; gives its version. */
  checkMediaWorker(): Promise<string>
}

/** Checks of one configuration. */
const ofConfig: Record<string, Check> = {
  JwtSecret: jwtSecret,
  PublicUrl: publicUrl,
  TLS: tls,
  port,
  'data folder': dataFolder,
  stores,
  storage,
  'service accounts': serviceAccounts,
  'disk space': diskSpace,
  recorder,
  transcriber,
  clock,
  'media address': mediaAddress,
  TURN: turn,
}

/** Checks of the machine, which need no configuration. */
const ofMachine = ({ checkMediaWorker }: Instruments): Record<string, () => Finding | Promise<Finding>> => ({
  'media worker': () => mediaWorker(checkMediaWorker),
  ffmpeg: () => findProgram('ffmpeg'),
  ffprobe: () => findProgram('ffprobe'),
  'web pages': webPages,
})

/** Runs all checks; a configuration that cannot be read leaves out those that depend on it. Never throws. */
export async function examine(
  file: string | undefined,
  env: NodeJS.ProcessEnv,
  instruments: Instruments,
): Promise<Report> {
  const { config, finding } = readConfig(file, env)
  const subject = config && { config, records: await readRecords(config, instruments) }
  const checks = await Promise.all([
    { name: 'config', ...finding },
    ...(subject ? Object.entries(ofConfig) : []).map(([name, check]) =>
      look(name, () => check(subject as Subject)),
    ),
    ...Object.entries(ofMachine(instruments)).map(([name, check]) => look(name, check)),
  ])
  return { ok: checks.every(({ status }) => status !== 'fail'), checks }
}

async function look(name: string, check: () => Finding | Promise<Finding>) {
  try {
    return { name, ...(await check()) }
  } catch (error) {
    return { name, ...fail(`The check itself failed: ${(error as Error).message}`, 'Report this.') }
  }
}

function readConfig(file: string | undefined, env: NodeJS.ProcessEnv): { config?: Config; finding: Finding } {
  const path = file ?? (env.SVC_CONFIG || 'lectern.ini')
  try {
    const config = loadConfig(file, env)
    return {
      config,
      finding: existsSync(path) ? configMode(path) : ok('No file; defaults and the environment.'),
    }
  } catch (error) {
    return { finding: fail((error as Error).message, 'Mend it; docs/configuration.md lists every key.') }
  }
}

/** Looking must not make anything: before the first start there are no stores. */
async function readRecords(config: Config, instruments: Instruments): Promise<Subject['records']> {
  if (!existsSync(config.Db.Url)) return { users: [], serviceAccounts: [] }
  return instruments.readRecords(config).catch((error: Error) => ({ error }))
}

async function mediaWorker(checkMediaWorker: Instruments['checkMediaWorker']): Promise<Finding> {
  try {
    return ok(`mediasoup ${await checkMediaWorker()}`)
  } catch (error) {
    const reason = (error as Error).message
    return fail(`It does not run: ${reason}.`, 'Run "npm start" once, or set MEDIASOUP_WORKER_BIN.')
  }
}
