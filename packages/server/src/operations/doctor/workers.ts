import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pollUntil } from '@lectern/common'
import { findSpeechModel } from '../../platform/speech-model.ts'
import { type Check, type CheckContext, type Finding, fail, ok, warn } from './check.ts'
import { INSTANCE_PATH, requestLocally } from './instance.ts'
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

/** What slides need, as the converter starts it: without the right to listen on port 443, which bubblewrap refuses. */
const POPPLER = ['pdftocairo', '-v']
const SANDBOX = 'setpriv --ambient-caps=-all --inh-caps=-all bwrap --ro-bind / / --unshare-all true'.split(
  ' ',
)
/** A converter that has just been started tries LibreOffice first, if it may. */
const STARTS_WITHIN_MS = 20_000

/** A missing program, or a kernel that allows no sandbox, disables slides only; of these, LibreOffice office documents only. */
export const converter: Check = async context => {
  const { Converter } = context.config
  if (!Converter.Embedded) return ok('Not started by this server.')
  const ofAccount = accountFault(context, 'converter')
  if (ofAccount) return ofAccount
  if (!(await runs(POPPLER)))
    return warn(
      'pdftocairo is missing or cannot run: slides cannot be uploaded.',
      'Install it: apt-get install poppler-utils.',
    )
  if (Converter.Sandbox && !(await runs(SANDBOX)))
    return warn(
      'bwrap is missing or cannot run: slides cannot be uploaded.',
      'Install bubblewrap and allow user namespaces (docs/slides.md#the-converter), or set [Converter] Sandbox = 0.',
    )
  const fault = Converter.Office ? await context.checkOffice() : null
  if (fault !== null)
    return warn(
      `Slides cannot be office documents: ${fault}`,
      'apt-get install libreoffice-impress-nogui libreoffice-writer-nogui, or set [Converter] Office = 0.',
    )
  if (context.isRunning && !(await acceptsSlides(context.config)))
    return warn(
      'The running server has no converter: slides cannot be uploaded.',
      'Its log says why. Restart it, if the programs were installed since.',
    )
  if (Converter.Office) return ok('In a sandbox, office documents too.')
  return Converter.Sandbox ? ok('In a sandbox.') : ok('Without a sandbox: [Converter] Sandbox = 0.')
}

const runs = async ([program = '', ...args]: string[]) => (await firstLineOf(program, args)) !== null

/**
 * Whether the running server has a converter, which starts some seconds after it. Under the restrictions of a service a
 * sandbox may fail that runs elsewhere.
 */
export async function acceptsSlides(
  config: Pick<CheckContext['config'], 'Server'>,
  timeoutMs = STARTS_WITHIN_MS,
): Promise<boolean> {
  const isAvailable = async () => (await requestLocally(config, INSTANCE_PATH)).slides_available === true
  return (await pollUntil(() => isAvailable().catch(() => false), { intervalMs: 500, timeoutMs })) !== null
}

const listed = (jobs: string[]) =>
  jobs.slice(0, LISTED_JOBS_MAX).join(', ') +
  (jobs.length > LISTED_JOBS_MAX ? ` and ${jobs.length - LISTED_JOBS_MAX} more` : '')
