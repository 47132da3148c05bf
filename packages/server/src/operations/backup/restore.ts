import { dirname, join } from 'node:path'
import { makeFolder } from '@lectern/common/make-folder'
import type { Config } from '../../platform/config/index.ts'
import { s3Settings } from '../../platform/config/storage.ts'
import { integrationMigrations } from '../../platform/db/migrations/integration.ts'
import { mainMigrations } from '../../platform/db/migrations/main.ts'
import { restoreMarker } from '../../platform/restore-marker.ts'
import { Layout } from '../../records/storage/layout.ts'
import { OperatorError } from '../operator/checks.ts'
import { withAuditRow } from './audit-row.ts'
import { BLOBS, refusePostgres } from './backup.ts'
import { type BlobProgress, copyBlobs, verifyBlobs } from './copy-blobs.ts'
import { copyVerified, isIntact, removeDurably, type SavedFile } from './durable-files.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { SavedBlobs } from './saved-blobs.ts'
import { prepareTarget } from './target.ts'

export interface RestoreOptions {
  config: Config
  /** The folder of a backup. */
  source: string
  /** Whether data that is there already is moved aside; otherwise it is refused. */
  replace: boolean
  onProgress: (progress: BlobProgress) => void
}

export interface RestoreResult {
  manifest: Manifest
  files: BlobProgress | null
  /** The folders into which data that was there has been moved. */
  replaced: string[]
  /** Whether the restored audit log has a row about it. */
  isAudited: boolean
}

/**
 * Writes the databases and files of a backup to where the configuration wants them (rules BACKUP-6 to BACKUP-10). The
 * service MUST NOT run. An incomplete backup changes nothing. Throws OperatorError.
 */
export async function restore({
  config,
  source,
  replace,
  onProgress,
}: RestoreOptions): Promise<RestoreResult> {
  refusePostgres(config)
  const { manifest, saved } = await openBackup(source)
  try {
    refuseOtherStorage(manifest, config)
    const replaced = await prepareTarget(config, replace)
    const files =
      manifest.files.in === 'folder' ? await restoreFiles(saved, source, config, onProgress) : null
    const { main, integration } = manifest.databases
    if (integration) await restoreDatabase(source, integration, config.Db.IntegrationDb)
    await restoreDatabase(source, main, config.Db.Url)
    // There was no database before that could have taken a row.
    const entry = {
      action: 'backup.restore',
      target: source,
      details: { created_at: manifest.created_at, lectern: manifest.lectern, replace },
    } as const
    const { isAudited } = await withAuditRow(config.Db.Url, entry, async () => ({}))
    await removeDurably(restoreMarker(config))
    return { manifest, files, replaced, isAudited }
  } finally {
    saved.close()
  }
}

/** Reads all of a backup and compares the checksums. Missing and damaged files are in the result. Throws OperatorError. */
export async function verifyBackup(
  source: string,
  onProgress: (progress: BlobProgress) => void,
): Promise<Pick<RestoreResult, 'manifest' | 'files'>> {
  const { manifest, saved } = await openBackup(source)
  try {
    const isFolder = manifest.files.in === 'folder'
    return { manifest, files: isFolder ? await verifyBlobs(saved, join(source, BLOBS), onProgress) : null }
  } finally {
    saved.close()
  }
}

/** The databases of a backup, verified. */
async function openBackup(source: string) {
  const manifest = await readManifest(source)
  const { databases, config } = manifest
  for (const file of [databases.main, databases.integration, config])
    if (file && !(await isIntact(join(source, file.name), file)))
      throw new OperatorError(`The backup is damaged: ${join(source, file.name)} is not what was saved.`)
  const saved = new SavedBlobs(join(source, databases.main.name))
  const isNewer =
    saved.schemaVersion > mainMigrations.length ||
    (await versionOf(source, databases.integration)) > integrationMigrations.length
  if (!isNewer) return { manifest, saved }
  saved.close()
  throw new OperatorError(
    `The backup was made by a newer version of Lectern (${manifest.lectern}): restore it with that version.`,
  )
}

async function versionOf(source: string, file: SavedFile | null): Promise<number> {
  if (!file) return 0
  const database = new SavedBlobs(join(source, file.name))
  const version = database.schemaVersion
  database.close()
  return version
}

function refuseOtherStorage({ files }: Manifest, { Storage }: Config): void {
  const isBucket = s3Settings(Storage) !== null
  if (files.in === 'folder' && isBucket)
    throw new OperatorError(
      'The backup contains files, and [Storage] Url is a bucket: restore with a folder, then run "lectern storage copy".',
    )
  if (files.in === 'bucket' && !isBucket)
    throw new OperatorError('The files of this backup are in a bucket: set [Storage] Url to it.')
}

async function restoreFiles(
  saved: SavedBlobs,
  source: string,
  { Storage }: Config,
  onProgress: (progress: BlobProgress) => void,
): Promise<BlobProgress> {
  makeFolder(Storage.Url)
  const files = await copyBlobs(saved, join(source, BLOBS), Storage.Url, onProgress)
  await new Layout(Storage.Url).writeMarker()
  return files
}

async function restoreDatabase(source: string, { name, sha256 }: SavedFile, path: string): Promise<void> {
  makeFolder(dirname(path))
  for (const rest of [`${path}-wal`, `${path}-shm`]) await removeDurably(rest)
  if (!(await copyVerified(join(source, name), path, sha256)))
    throw new OperatorError(`The backup is damaged: ${join(source, name)} is not what was saved.`)
}
