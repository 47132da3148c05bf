import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Capability } from '@lectern/protocol'
import type { Logger } from 'pino'
import type { Accounts } from './accounts/accounts.ts'
import type { Sessions } from './accounts/sessions.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config/index.ts'
import { Supervisor } from './jobs/supervisor.ts'
import { WorkerAccount } from './jobs/worker-account.ts'
import { findSpeechModel } from './speech-model.ts'

interface Parts {
  accounts: Accounts
  sessions: Sessions
  clock: Clock
  log: Logger
  /** Where workers reach the server. */
  url: string
}

/** Until the second recorder loads: after a start, or after a kill, others need the machine more. */
const STANDBY_AFTER_MS = 2_000

/** A speech model may be large, and its disk slow. */
const READY_WITHIN_MS = 120_000

/** The login of a worker that the server starts itself. */
const embeddedLogin = (name: EmbeddedWorker['name']) => `${name}-embedded`

interface EmbeddedWorker {
  name: 'recorder' | 'transcriber'
  isWanted: boolean
  capability: Capability
  args: string[]
  /** Whether another process is to stand by, which takes memory all the time. */
  hasStandby: boolean
}

const workersOf = ({ Recorder, Transcriber }: Config): EmbeddedWorker[] => [
  {
    name: 'recorder',
    isWanted: Recorder.Embedded,
    capability: 'jobs.recorder',
    args: [],
    hasStandby: true, // what is not recorded now is lost
  },
  {
    name: 'transcriber',
    isWanted: Transcriber.Embedded,
    capability: 'jobs.transcriber',
    args: Transcriber.ModelDir ? ['--model', Transcriber.ModelDir] : [],
    hasStandby: false,
  },
]

/** Starts the server's own workers and keeps them running. Their trouble is logged; it never is the server's. */
export function startWorkers(config: Config, parts: Parts): { stop(): Promise<void> } {
  const running = workersOf(config)
    .filter(({ isWanted }) => isWanted)
    .map(worker => start(config, worker, parts))
  return { stop: async () => void (await Promise.all(running.map(stop => stop()))) }
}

/**
 * Whether a transcriber is configured: an embedded one that has a model, or an account for a standalone one. Whether one
 * is running right now is another question.
 */
export async function hasTranscriber({ Transcriber }: Config, accounts: Accounts): Promise<boolean> {
  if (Transcriber.Embedded && findSpeechModel(Transcriber.ModelDir)) return true
  const holders = await accounts.listByCapability('jobs.transcriber')
  return holders.some(({ login }) => login !== embeddedLogin('transcriber'))
}

/** Gives what stops it. */
function start(config: Config, worker: EmbeddedWorker, parts: Parts): () => Promise<void> {
  const { accounts, sessions, clock, log, url } = parts
  const login = embeddedLogin(worker.name)
  let account: WorkerAccount | null = null
  const accessToken = async (refused: boolean) => {
    account ??= await WorkerAccount.open({ accounts, sessions, clock }, login, worker.capability)
    return account.accessToken(refused)
  }
  const supervisor = Supervisor.start({
    name: worker.name,
    program: {
      script: scriptOf(worker.name),
      args: ['--url', url, '--folder', join(config.Server.DataDir, worker.name), ...worker.args],
      env: environmentOf(config),
      accessToken,
      readyWithinMs: READY_WITHIN_MS,
      log: log.child({ worker: worker.name }),
    },
    log,
    ...(worker.hasStandby && { standbyAfterMs: STANDBY_AFTER_MS }),
  })
  return async () => {
    await supervisor.stop()
    await account?.close()
  }
}

const scriptOf = (name: EmbeddedWorker['name']): string =>
  createRequire(import.meta.url).resolve(`@lectern/${name}`)

/** Our own settings hold secrets that are not the workers'. */
const environmentOf = ({ Server }: Config): NodeJS.ProcessEnv => ({
  SVC_WORKER_MEDIA_IP: '127.0.0.1',
  SVC_WORKER_LOG_LEVEL: Server.LogLevel,
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !name.startsWith('SVC_') || name.startsWith('SVC_WORKER_'),
    ),
  ),
})
