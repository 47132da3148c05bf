import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { startWorker } from '@lectern/worker-kit'
import { openEngine } from './engines/index.ts'
import { type Engine, Unavailable } from './engines/port.ts'
import { Recognition, type RecognitionLimits } from './recognition/recognition.ts'
import { transcribe } from './run/transcribe.ts'

const { version } = createRequire(import.meta.url)('../package.json') as { version: string }

/** Many calls are quiet most of the time: what is too much at once is shared, and the rest waits (docs/transcription.md). */
const RUNS_AT_ONCE = 20

function limits(): RecognitionLimits {
  const cores = availableParallelism()
  return { threads: Math.max(1, cores - 1), voices: 10 * cores, waitingMs: 120_000 }
}

/** `--model DIR`, or as an operator sets it on a machine of its own. */
function modelDir(): string | null {
  const { values } = parseArgs({ options: { model: { type: 'string' } }, strict: false })
  return (values.model as string | undefined) || process.env.SVC_TRANSCRIBER_MODEL_DIR || null
}

/** Says why to who has started it; there is nothing wrong then, and nothing to try again. */
async function openOrLeave(): Promise<Engine> {
  try {
    return await openEngine(modelDir())
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    console.error(`Transcription is unavailable. ${error.message}`)
    const leave = () => process.exit(0)
    if (process.send) process.send({ unavailable: error.message }, leave)
    else leave()
    return new Promise(() => {})
  }
}

const engine = await openOrLeave()
const recognition = new Recognition(engine, limits())
await startWorker({
  kind: 'transcription',
  name: 'transcriber',
  version,
  work: held => transcribe(held, engine, recognition),
  capacity: RUNS_AT_ONCE,
  kinds: ['audio'],
  options: ['model'],
})
