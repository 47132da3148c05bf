import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findSpeechModel } from '../speech-model.ts'
import { type Check, ok, warn } from './check.ts'

const DAY_MS = 86_400_000
const SHOWN = 10

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
  const model = findSpeechModel(Transcriber.ModelDir)
  if (Transcriber.ModelDir)
    return model
      ? ok(`The model in ${Transcriber.ModelDir}`)
      : warn(
          `${Transcriber.ModelDir} is not there: there is no transcription.`,
          'Mend [Transcriber] ModelDir.',
        )
  if (model) return ok('The model that is installed with the service.')
  return warn(
    'There is no speech model: there is no transcription.',
    'Set [Transcriber] ModelDir to the folder of one, or [Transcriber] Embedded = 0.',
  )
}

const listed = (jobs: string[]) =>
  jobs.slice(0, SHOWN).join(', ') + (jobs.length > SHOWN ? ` and ${jobs.length - SHOWN} more` : '')
