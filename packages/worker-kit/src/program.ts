import type { JobKind } from '@lectern/protocol/control'
import { type Logger, pino } from 'pino'
import { connect, signedIn } from './connect.ts'
import { lockFolder, workerIdIn } from './folder.ts'
import type { Work } from './ports.ts'
import type { MediaKind } from './session-observer.ts'
import { readSettings } from './settings.ts'
import { activation } from './standby.ts'
import { Worker } from './worker.ts'
import { serveWorkerState } from './worker-state.ts'

export interface WorkerProgram {
  kind: JobKind
  /** Appears in logs. */
  name: string
  version: string
  work: Work
  /** How many jobs at once. */
  capacity: number
  /** The media kinds to subscribe to. Empty: the worker observes no sessions. */
  kinds: MediaKind[]
  /** Languages that a transcriber recognises (BCP 47); absent or empty if it does not know. */
  languages?: readonly string[]
  /** The formats that a converter converts beside PDF and images. */
  formats?: readonly string[]
  /** Whether the folder of a job has content worth keeping; without it, none has. */
  hasCapturedMedia?: (folder: string) => Promise<boolean>
  /** Command-line options that the worker parses itself, such as `--model DIR`. */
  options?: readonly string[]
}

/** Shorter than the time a server grants a worker to exit. */
const DRAIN_WITHIN_MS = 9_000

/**
 * Main function of a worker process: reads the settings and runs jobs until the process is asked to exit. Logs go to
 * standard error.
 */
export async function startWorker(program: WorkerProgram): Promise<void> {
  process.umask(0o077) // recordings and transcripts are the service user's alone
  const log = pino(
    { name: program.name, level: process.env.SVC_WORKER_LOG_LEVEL ?? 'info' },
    pino.destination(2),
  )
  try {
    await run(program, log)
  } catch (error) {
    log.fatal({ err: error }, 'the worker could not start')
    process.exit(1)
  }
}

async function run({ kinds, options, ...program }: WorkerProgram, log: Logger): Promise<void> {
  const {
    folder,
    isStandby,
    state: stateAddress,
    ...settings
  } = readSettings(process.argv.slice(2), process.env, options, kinds.length > 0)
  const activated = isStandby ? activation() : null
  const parts = { ...program, ...settings, kinds, folder, log }
  const client = connect(parts)
  let worker: Worker | null = null
  let isEnding = false
  const end = async (code: number, why: string) => {
    if (isEnding) return
    isEnding = true
    log.info({ why }, 'worker stopping')
    await worker?.drain(DRAIN_WITHIN_MS)
    process.exit(code)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(0, signal))
  process.on('disconnect', () => void end(0, 'the server has exited'))
  if (process.connected === false) return end(0, 'the server has exited')
  client.state.subscribe(() => {
    const state = client.state.get()
    if (state.is === 'ended') void end(1, state.reason.is)
  })
  client.open()
  if (activated) {
    await signedIn(client)
    process.title = `lectern ${program.name} (standby)`
    process.send?.({ standby: true })
    await activated
  }
  process.title = `lectern ${program.name}`
  await lockFolder(folder)
  const running = new Worker({ ...parts, client, workerId: await workerIdIn(folder) })
  worker = running
  const measure = () => ({ isConnected: client.state.get().is === 'ready', jobs: running.jobs })
  if (stateAddress) await serveWorkerState({ ...stateAddress, folder, measure })
  await signedIn(client)
  process.send?.({ ready: true })
  log.info('worker ready')
}
