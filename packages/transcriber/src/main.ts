import { existsSync, readdirSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parseArgs } from 'node:util'
import { versionOf } from '@lectern/common/version'
import { startWorker } from '@lectern/worker-kit'
import { openEngine } from './engines/index.ts'
import { type Engine, EngineUnavailable } from './engines/port.ts'
import { recognitionLimits } from './recognition/limits.ts'
import { RecognitionScheduler } from './recognition/recognition-scheduler.ts'
import { transcribe } from './run/transcribe.ts'

const version = versionOf(import.meta.url)

/** Most calls are quiet most of the time; overload is shared by the scheduler (docs/transcription.md). */
const RUNS_AT_ONCE = 20

/** A third of the share of a process that did not lower its priority. */
const NICENESS = 5
/** On Linux a priority belongs to a thread. */
const THREADS = '/proc/self/task'

/** Recognition yields to calls: late captions are better than gaps in voices. Later threads inherit it. */
function lowerPriority(): void {
  const threads = existsSync(THREADS) ? readdirSync(THREADS).map(Number) : [0]
  for (const thread of threads) setPriority(thread, NICENESS)
}

/** `--model DIR`, or the environment variable of a standalone worker. */
function modelDir(): string | null {
  const { values } = parseArgs({ options: { model: { type: 'string' } }, strict: false })
  return (values.model as string | undefined) || process.env.SVC_TRANSCRIBER_MODEL_DIR || null
}

/** Reports an unavailable engine to the parent process: not an error, and nothing to retry. */
async function openOrExit(): Promise<Engine> {
  try {
    return await openEngine(modelDir())
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error
    console.error(`Transcription is unavailable. ${error.message}`)
    const leave = () => process.exit(0)
    if (process.send) process.send({ unavailable: error.message }, leave)
    else leave()
    return new Promise(() => {})
  }
}

lowerPriority()
const engine = await openOrExit()
const recognition = new RecognitionScheduler(engine, recognitionLimits())
await startWorker({
  kind: 'transcription',
  name: 'transcriber',
  version,
  work: held => transcribe(held, engine, recognition),
  capacity: RUNS_AT_ONCE,
  kinds: ['audio'],
  languages: engine.language === 'und' ? [] : [engine.language],
  options: ['model'],
})
