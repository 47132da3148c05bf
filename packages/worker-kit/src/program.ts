import type { JobKind } from '@lectern/protocol/control'
import { type Logger, pino } from 'pino'
import { connect, signedIn } from './connect.ts'
import { takeFolder, workerIdIn } from './folder.ts'
import type { Work } from './ports.ts'
import type { MediaKind } from './session-line.ts'
import { readSettings } from './settings.ts'
import { toldToBegin } from './stand-by.ts'
import { Worker } from './worker.ts'

export interface WorkerProgram {
  kind: JobKind
  /** For the log, and for the server's. */
  name: string
  version: string
  work: Work
  /** How many jobs at once. */
  capacity: number
  /** What it wants of the media of a session. */
  kinds: MediaKind[]
  /** Whether somebody could miss what is in the folder of a job; if it is not given, nobody does. */
  isWorthKeeping?: (folder: string) => Promise<boolean>
  /** Names of arguments that the worker reads itself, as in `--model DIR`. */
  options?: readonly string[]
}

/** Less than a server waits for a worker that it has asked to end. */
const DRAIN_WITHIN_MS = 9_000

/**
 * What the main file of a worker does: reads the settings, takes jobs until the process is asked to end, and ends
 * it. Logs go to standard error.
 */
export async function startWorker(program: WorkerProgram): Promise<void> {
  const log = pino(
    { name: program.name, level: process.env.SVC_WORKER_LOG_LEVEL ?? 'info' },
    pino.destination(2),
  )
  try {
    await run(program, log)
  } catch (error) {
    log.fatal({ err: error }, 'the worker does not start')
    process.exit(1)
  }
}

async function run({ kinds, options, ...program }: WorkerProgram, log: Logger): Promise<void> {
  const { folder, standsBy, ...settings } = readSettings(process.argv.slice(2), process.env, options)
  const parts = { ...program, ...settings, kinds, folder, log }
  const client = connect(parts)
  let worker: Worker | null = null
  let isEnding = false
  const end = async (code: number, why: string) => {
    if (isEnding) return
    isEnding = true
    log.info({ why }, 'the worker ends')
    await worker?.drain(DRAIN_WITHIN_MS)
    process.exit(code)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(0, signal))
  process.on('disconnect', () => void end(0, 'the server is gone'))
  if (process.connected === false) return end(0, 'the server is gone')
  client.state.subscribe(() => {
    const state = client.state.get()
    if (state.is === 'ended') void end(1, state.reason.is)
  })
  client.open()
  if (standsBy) {
    await signedIn(client)
    process.title = `lectern ${program.name} (stands by)`
    await toldToBegin()
  }
  process.title = `lectern ${program.name}`
  await takeFolder(folder)
  worker = new Worker({ ...parts, client, workerId: await workerIdIn(folder) })
  await signedIn(client)
  process.send?.({ ready: true })
  log.info('the worker is ready')
}
