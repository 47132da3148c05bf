import { lookup } from 'node:dns/promises'
import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Capability } from '@lectern/protocol'
import type { Accounts } from '../accounts/accounts.ts'
import { isClustered } from '../platform/config/cluster.ts'
import type { Config } from '../platform/config/index.ts'
import { findSpeechModel } from '../platform/speech-model.ts'
import { Supervisor } from '../records/jobs/supervisor.ts'
import { WorkerAccount } from '../records/jobs/worker-account.ts'
import type { AccountsPart } from './accounts.ts'
import type { ServerContext } from './context.ts'
import { workerMemory } from './worker-memory.ts'

/** Delay until the standby recorder loads: after a start or a crash, other processes need the machine more. */
const STANDBY_AFTER_MS = 2_000

/** Long, because a large speech model may load from a slow disk. */
const READY_WITHIN_MS = 120_000

/** The login of a worker that the server starts itself. */
const embeddedLogin = (name: EmbeddedWorker['name']) => `${name}-embedded`

interface EmbeddedWorker {
  name: 'recorder' | 'transcriber' | 'converter'
  isEnabled: boolean
  capability: Capability
  args: string[]
  /** Whether a standby process is kept, which takes memory all the time. */
  hasStandby: boolean
}

const workersOf = ({ Recorder, Transcriber, Converter }: Config): EmbeddedWorker[] => [
  {
    name: 'recorder',
    isEnabled: Recorder.Embedded,
    capability: 'jobs.recorder',
    args: [],
    hasStandby: true, // what is not recorded now is lost
  },
  {
    name: 'transcriber',
    isEnabled: Transcriber.Embedded,
    capability: 'jobs.transcriber',
    args: Transcriber.ModelDir ? ['--model', Transcriber.ModelDir] : [],
    hasStandby: false,
  },
  {
    name: 'converter',
    isEnabled: Converter.Embedded,
    capability: 'jobs.converter',
    args: ['--sandbox', Converter.Sandbox ? '1' : '0', '--office', Converter.Office ? '1' : '0'],
    hasStandby: false,
  },
]

/** Starts the embedded workers and keeps them running. Their failures are logged and never stop the server. */
export async function startWorkers(
  context: ServerContext,
  accounts: Pick<AccountsPart, 'accounts' | 'sessions'>,
): Promise<{ stop(): Promise<void> }> {
  const mediaIp = await mediaIpOf(context.config)
  const running = workersOf(context.config)
    .filter(({ isEnabled }) => isEnabled)
    .map(worker => start(context, worker, accounts, mediaIp))
  return { stop: async () => void (await Promise.all(running.map(stop => stop()))) }
}

/**
 * Whether a transcriber is configured: an embedded one with a model, or an account for a standalone one. It says nothing
 * about whether one is running.
 */
export async function hasTranscriber({ Transcriber }: Config, accounts: Accounts): Promise<boolean> {
  if (Transcriber.Embedded && findSpeechModel(Transcriber.ModelDir)) return true
  const holders = await accounts.listByCapability('jobs.transcriber')
  return holders.some(({ login }) => login !== embeddedLogin('transcriber'))
}

/** Returns the function that stops the worker. */
function start(
  { config, clock, log, url }: ServerContext,
  worker: EmbeddedWorker,
  { accounts, sessions }: Pick<AccountsPart, 'accounts' | 'sessions'>,
  mediaIp: string,
): () => Promise<void> {
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
      args: ['--url', url.forWorkers, '--folder', join(config.Server.DataDir, worker.name), ...worker.args],
      env: environmentOf(config, mediaIp, worker.name),
      accessToken,
      readyTimeoutMs: READY_WITHIN_MS,
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

/** The program of a worker. */
export const scriptOf = (name: EmbeddedWorker['name']): string =>
  createRequire(import.meta.url).resolve(`@lectern/${name}`)

/**
 * The address at which media reaches the workers of this machine: other servers and media nodes of a cluster send it,
 * too.
 */
export async function mediaIpOf({ Cluster }: Config): Promise<string> {
  if (!isClustered(Cluster)) return '127.0.0.1'
  const host = new URL(Cluster.Advertise).hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) ? host : (await lookup(host)).address
}

/** Workers do not get the server's own settings, which hold secrets. Its environment may name other limits of memory. */
const environmentOf = (
  { Server }: Config,
  mediaIp: string,
  name: EmbeddedWorker['name'],
): NodeJS.ProcessEnv => ({
  ...workerMemory[name],
  SVC_WORKER_MEDIA_IP: mediaIp,
  SVC_WORKER_LOG_LEVEL: Server.LogLevel,
  ...Object.fromEntries(
    Object.entries(process.env).filter(([key]) => !key.startsWith('SVC_') || key.startsWith('SVC_WORKER_')),
  ),
})
