import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@lectern/common/make-folder'
import Database from 'better-sqlite3'
import { isPostgresUrl } from '../../platform/config/database.ts'
import type { Config } from '../../platform/config/index.ts'
import { s3Settings } from '../../platform/config/storage.ts'
import { ensureRestored } from '../../platform/restore-marker.ts'
import { Layout } from '../../records/storage/layout.ts'
import type { AuditResult } from '../audit/ports.ts'
import { OperatorError } from '../operator/checks.ts'
import { withAuditRow } from './audit-row.ts'
import { type BlobProgress, copyBlobs } from './copy-blobs.ts'
import { copyVerified, describeFile, removeDurably, writeDurably } from './durable-files.ts'
import { CONFIG, DATABASES, findManifest, INCOMPLETE, type Manifest, writeManifest } from './manifest.ts'
import { SavedBlobs } from './saved-blobs.ts'
import { linkFiles, nextInSeries, previousInSeries, pruneSeries } from './series.ts'
import { snapshotTogether } from './snapshot.ts'

export interface BackupOptions {
  config: Config
  /** The configuration file to include; null for none. */
  configFile: string | null
  /** A folder that is empty, does not exist, or has an interrupted backup. */
  target: string
  version: string
  /** Another backup, whose files need not be copied again. */
  earlier?: string | null
  onProgress: (progress: BackupProgress) => void
}

/** `databases`: the copied share of them. */
export type BackupProgress = { databases: number } | { files: BlobProgress }

export interface BackupResult {
  manifest: Manifest
  /** Null if the files are in a bucket, which the backup does not contain. */
  files: BlobProgress | null
  /** Whether the audit log has a row about it. */
  isAudited: boolean
}

export const BLOBS = 'blobs'

/**
 * Backs up the databases, the files of recordings and the configuration while the service runs (rules BACKUP-1 to
 * BACKUP-5). The result names missing and damaged files; everything else is complete then. Throws OperatorError.
 */
export async function backUp(options: BackupOptions): Promise<BackupResult> {
  const { config, configFile, target } = options
  refusePostgres(config)
  ensureRestored(config)
  if (!existsSync(config.Db.Url)) throw new OperatorError(`There is no database ${config.Db.Url}.`)
  const entry = {
    action: 'backup.create',
    target,
    details: { config_file: configFile !== null },
  } as const
  return withAuditRow(config.Db.Url, entry, () => save(options), outcomeOf)
}

/** One without all files is not what somebody relies on who asks how old the newest backup is. */
const outcomeOf = ({ files }: Pick<BackupResult, 'files'>): AuditResult =>
  files && files.missing.length + files.damaged.length > 0
    ? { outcome: 'failed', code: 'blob_not_found' }
    : { outcome: 'done', code: null }

/**
 * The next backup of a series in one folder, of which the newest `keep` are kept: files that the previous one has take no
 * more space (rule BACKUP-11).
 */
export async function backUpInSeries({
  series,
  keep,
  ...options
}: Omit<BackupOptions, 'target' | 'earlier'> & { series: string; keep: number }): Promise<
  BackupResult & { target: string; pruned: string[] }
> {
  refusePostgres(options.config)
  const target = await nextInSeries(series, new Date())
  const earlier = await previousInSeries(target)
  const result = await backUp({ ...options, target, earlier })
  return { ...result, target, pruned: await pruneSeries(series, keep) }
}

async function save(options: BackupOptions) {
  await beginIn(options.target)
  const lock = lockTarget(options.target)
  try {
    await refuseComplete(options.target) // another process may have finished it
    return await saveLocked(options)
  } finally {
    lock.close()
  }
}

async function saveLocked({
  config,
  configFile,
  target,
  version,
  earlier = null,
  onProgress,
}: BackupOptions) {
  const createdAt = new Date().toISOString()

  const inTarget = (name: string) => join(target, name)
  const hasIntegration = existsSync(config.Db.IntegrationDb)
  const copies = [
    { from: config.Db.Url, to: inTarget(DATABASES.main) },
    ...(hasIntegration ? [{ from: config.Db.IntegrationDb, to: inTarget(DATABASES.integration) }] : []),
  ]
  await snapshotTogether(copies, databases => onProgress({ databases }))

  const isBucket = s3Settings(config.Storage) !== null
  const files = isBucket
    ? null
    : await backUpFiles(config, target, earlier, progress => onProgress({ files: progress }))
  if (configFile !== null) await copyVerified(configFile, inTarget(CONFIG), null)

  const manifest: Manifest = {
    format: 1,
    lectern: version,
    created_at: createdAt,
    databases: {
      main: await describeFile(target, DATABASES.main),
      integration: hasIntegration ? await describeFile(target, DATABASES.integration) : null,
    },
    config: configFile === null ? null : await describeFile(target, CONFIG),
    files: { in: isBucket ? 'bucket' : 'folder', count: files?.files ?? 0, bytes: files?.bytes ?? 0 },
  }
  await writeManifest(target, manifest)
  await removeDurably(inTarget(INCOMPLETE))
  return { manifest, files }
}

/** Throws an OperatorError if the databases are in PostgreSQL, of which Lectern makes no backups. */
export function refusePostgres({ Db }: Config): void {
  if (isPostgresUrl(Db.Url))
    throw new OperatorError(
      'The databases are in PostgreSQL: use pg_dump and pg_restore, and copy the files after it (docs/backup.md#postgresql).',
    )
}

async function beginIn(target: string): Promise<void> {
  makeFolder(target)
  await refuseComplete(target)
  if (existsSync(join(target, INCOMPLETE))) return
  const names = await readdir(target)
  if (names.some(name => name !== 'lost+found'))
    throw new OperatorError(`${target} is not empty and contains no interrupted backup.`)
  await writeDurably(join(target, INCOMPLETE), '')
}

async function refuseComplete(target: string): Promise<void> {
  if (await findManifest(target)) throw new OperatorError(`${target} contains a backup already.`)
}

/**
 * Locks the folder, so that only one of two processes, such as the nightly one and an administrator's, makes a backup
 * in it. The lock ends with its process.
 */
function lockTarget(target: string): Database.Database {
  try {
    const lock = new Database(join(target, INCOMPLETE), { fileMustExist: true, timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch {
    throw new OperatorError(`Another backup is being made in ${target} right now.`)
  }
}

/** After the databases: what they list exists, unless it was removed since. */
async function backUpFiles(
  config: Config,
  target: string,
  earlier: string | null,
  onProgress: (progress: BlobProgress) => void,
) {
  const [source, copies] = [config.Storage.Url, join(target, BLOBS)]
  const saved = new SavedBlobs(join(target, DATABASES.main))
  const present = new SavedBlobs(config.Db.Url)
  try {
    if (saved.total.count > 0) await new Layout(source).ensureMarker()
    await mkdir(copies, { recursive: true, mode: 0o700 })
    if (earlier !== null) await linkFiles(saved, join(earlier, BLOBS), copies)
    const progress = await copyBlobs(saved, source, copies, onProgress)
    // A file that was removed during the backup is not missing.
    return { ...progress, missing: progress.missing.filter(id => present.has(id)) }
  } finally {
    saved.close()
    present.close()
  }
}
