import { existsSync, mkdtempSync, rmdirSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { s3Settings } from '../../platform/config/storage.ts'
import { restoreMarker } from '../../platform/restore-marker.ts'
import { type Check, fail, ok, skipped, warn } from './check.ts'
import { nearestExisting } from './disk.ts'
import { checkPostgres } from './postgres.ts'

export const stores: Check = async ({ config, database, records }) => {
  if (existsSync(restoreMarker(config)))
    return fail(`A restore into ${config.Server.DataDir} was interrupted.`, 'Run "lectern restore" again.')
  const finding = database && checkPostgres(config, database)
  // A failure of the database says why its records cannot be read.
  if (finding && (finding.status === 'fail' || !('error' in records))) return finding
  if ('error' in records && (records.error as NodeJS.ErrnoException).code === 'NEWER_VERSION')
    return fail(
      records.error.message,
      'Install that version again, or restore a backup that this version, or an earlier one, has made.',
    )
  if ('error' in records)
    return fail(
      `Cannot be opened: ${records.error.message}.`,
      'Check the paths in [Server] DataDir and [Db], and the owner of the files.',
    )
  const { Db, Integration } = config
  const files = Integration.Enabled ? [Db.Url, Db.IntegrationDb] : [Db.Url]
  for (const file of files) {
    const writeError = await writeErrorOf(file)
    if (writeError) return notWritable(file, writeError)
  }
  return ok(existsSync(Db.Url) ? files.join(', ') : `Created at the first start, in ${dirname(Db.Url)}`)
}

export const storage: Check = async ({ config, checkBucket }) => {
  if (s3Settings(config.Storage)) {
    const { Url } = config.Storage
    const fault = await checkBucket(config)
    if (fault === null) return ok(Url)
    return fail(`${Url} cannot be used: ${fault}.`, 'Check [Storage] and the permissions of the access key.')
  }
  const folder = config.Storage.Url
  const writeError = await writeErrorOf(join(folder, 'blobs'))
  if (writeError) return notWritable(folder, writeError)
  return ok(existsSync(folder) ? folder : `Created at the first start: ${folder}`)
}

const notWritable = (path: string, reason: string) =>
  fail(`${path} is not writable: ${reason}.`, 'Check its owner, its permissions and the disk.')

/** Writes a temporary folder next to the file, because permission checks always succeed for root. */
async function writeErrorOf(file: string): Promise<string | undefined> {
  try {
    if (existsSync(file)) await access(file, constants.W_OK)
    rmdirSync(mkdtempSync(join(nearestExisting(dirname(file)), '.lectern-doctor-')))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

export const serviceAccounts: Check = ({ config, records }) => {
  if ('error' in records) return skipped
  if (!config.Integration.Enabled) return ok('The integration module is disabled.')
  const all = records.serviceAccounts
  const unhashed = all.filter(({ secretHash }) => /(^| )plain:/.test(secretHash)).map(({ name }) => name)
  if (unhashed.length > 0)
    return warn(
      `Secrets stored in plain text: ${unhashed.join(', ')}.`,
      'Replace each secret: lectern service-account rotate NAME --now.',
    )
  return ok(all.length === 0 ? 'None yet.' : `${all.length}, all with hashed secrets.`)
}
