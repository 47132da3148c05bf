import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findSpeechModel } from '../../platform/speech-model.ts'
import { type Check, type CheckContext, type Finding, fail, ok, warn } from './check.ts'
import { firstLineOf } from './programs.ts'

const DAY_MS = 86_400_000
const LISTED_JOBS_MAX = 10

/** What an administrator has taken from the account of an embedded worker; null: nothing. */
function accountFault(
  { records }: CheckContext,
  name: 'recorder' | 'transcriber' | 'converter',
): Finding | null {
  if ('error' in records) return null
  const login = `${name}-embedded`
  const account = records.users.find(each => each.login === login)
  if (!account) return null
  if (account.disabledAt !== null)
    return fail(
      `Does not work: the account ${login} is disabled.`,
      `Run: lectern user set ${login} --enable. Or set [${name[0]?.toUpperCase()}${name.slice(1)}] Embedded = 0.`,
    )
  const capability = `jobs.${name}`
  if (account.capabilities.some(each => each === capability)) return null
  return fail(
    `Does not work: the account ${login} has no capability ${capability}.`,
    `Run: lectern user set ${login} --capability ${capability}.`,
  )
}

/** The recorder deletes the folder of a job when the server has stored its files. */
export const recorder: Check = async context => {
  const { config } = context
  if (!config.Recorder.Embedded) return ok('Not started by this server.')
  const fault = accountFault(context, 'recorder')
  if (fault) return fault
  const folder = join(config.Server.DataDir, 'recorder', 'jobs')
  const jobs = await readdir(folder).catch(() => [])
  if (jobs.length === 0) return ok('No pending uploads.')
  const stalled: string[] = []
  for (const job of jobs) {
    const { mtimeMs } = await stat(join(folder, job))
    if (Date.now() - mtimeMs > DAY_MS) stalled.push(job)
  }
  if (stalled.length === 0) return ok(`Recording or uploading: ${listed(jobs)}`)
  return warn(
    `No progress for a day in ${folder}: ${listed(stalled)}.`,
    'The recorder resumes what it can. Its log names failed jobs: save the files that you need, then delete their folders.',
  )
}

/** A missing model disables transcription only. */
export const transcriber: Check = context => {
  const { Transcriber } = context.config
  if (!Transcriber.Embedded) return ok('Not started by this server.')
  const fault = accountFault(context, 'transcriber')
  if (fault) return fault
  const model = findSpeechModel(Transcriber.ModelDir)
  if (Transcriber.ModelDir)
    return model
      ? ok(`Model in ${Transcriber.ModelDir}`)
      : warn(
          `${Transcriber.ModelDir} contains no model: transcription is disabled.`,
          'Correct [Transcriber] ModelDir.',
        )
  if (model) return ok('The bundled model.')
  return warn(
    'No speech model: transcription is disabled.',
    'Set [Transcriber] ModelDir to the folder of a model, or set [Transcriber] Embedded = 0.',
  )
}

/** Without these, no slides can be uploaded. */
const CONVERTING = [
  ['pdftocairo', ['-v'], 'poppler-utils'],
  ['bwrap', ['--ro-bind', '/', '/', '--unshare-all', 'true'], 'bubblewrap'],
] as const

/** A missing program, or a kernel that allows no sandbox, disables slides only; of these, LibreOffice office documents only. */
export const converter: Check = async context => {
  const { Converter } = context.config
  if (!Converter.Embedded) return ok('Not started by this server.')
  const ofAccount = accountFault(context, 'converter')
  if (ofAccount) return ofAccount
  for (const [program, args, debianPackage] of CONVERTING) {
    if (program === 'bwrap' && !Converter.Sandbox) continue
    if ((await firstLineOf(program, [...args])) === null)
      return warn(
        `${program} is missing or cannot run: slides cannot be uploaded.`,
        program === 'bwrap'
          ? 'Install bubblewrap and allow user namespaces, or set [Converter] Sandbox = 0.'
          : `Install it: apt-get install ${debianPackage}.`,
      )
  }
  const fault = Converter.Office ? await context.checkOffice() : null
  if (fault !== null)
    return warn(
      `Slides cannot be office documents: ${fault}`,
      'apt-get install libreoffice-impress-nogui libreoffice-writer-nogui, or set [Converter] Office = 0.',
    )
  if (Converter.Office) return ok('In a sandbox, office documents too.')
  return Converter.Sandbox ? ok('In a sandbox.') : ok('Without a sandbox: [Converter] Sandbox = 0.')
}

const listed = (jobs: string[]) =>
  jobs.slice(0, LISTED_JOBS_MAX).join(', ') +
  (jobs.length > LISTED_JOBS_MAX ? ` and ${jobs.length - LISTED_JOBS_MAX} more` : '')
