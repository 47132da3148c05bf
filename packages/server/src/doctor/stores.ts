import { existsSync, mkdtempSync, rmdirSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Check, fail, notLooked, ok, warn } from './check.ts'
import { existingPart } from './disk.ts'

export const stores: Check = async ({ config, records }) => {
  if ('error' in records)
    return fail(
      `They cannot be opened: ${records.error.message}.`,
      'See that [Server] DataDir and [Db] name the right files, and who owns them.',
    )
  const { Db, Integration } = config
  const files = Integration.Enabled ? [Db.Url, Db.IntegrationDb] : [Db.Url]
  for (const file of files) {
    const readOnly = await whyReadOnly(file)
    if (readOnly) return fail(`${file} cannot be written: ${readOnly}.`, 'See who owns it, and its disk.')
  }
  return ok(existsSync(Db.Url) ? files.join(', ') : `Made at the first start, in ${dirname(Db.Url)}`)
}

export const storage: Check = async ({ config }) => {
  const folder = config.Storage.Url
  const readOnly = await whyReadOnly(join(folder, 'blobs'))
  if (readOnly) return fail(`${folder} cannot be written: ${readOnly}.`, 'See who owns it, and its disk.')
  return ok(existsSync(folder) ? folder : `Made at the first start: ${folder}`)
}

/** A file needs itself and its folder. The folder is tried out: to root every permission looks fine. */
async function whyReadOnly(file: string): Promise<string | undefined> {
  try {
    if (existsSync(file)) await access(file, constants.W_OK)
    rmdirSync(mkdtempSync(join(existingPart(dirname(file)), '.lectern-doctor-')))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

export const serviceAccounts: Check = ({ config, records }) => {
  if ('error' in records) return notLooked
  if (!config.Integration.Enabled) return ok('The integration module is off.')
  const all = records.serviceAccounts
  const plain = all.filter(({ secretHash }) => secretHash.startsWith('plain:')).map(({ name }) => name)
  if (plain.length > 0)
    return warn(
      `Stored with a readable secret: ${plain.join(', ')}.`,
      'Replace each by a new one: lectern service-account add.',
    )
  return ok(all.length === 0 ? 'None yet.' : `${all.length}, all with hashed secrets.`)
}
