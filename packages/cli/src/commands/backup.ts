import { resolve } from 'node:path'
import {
  type BackupProgress,
  type BlobProgress,
  backUp,
  backUpInSeries,
  findConfigFile,
  loadConfig,
  restore,
  verifyBackup,
} from '@lectern/server/operator'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { addCommand, type CommonOptions } from '../command.ts'
import { print } from '../output.ts'
import { version } from '../version.ts'

const REPORT_EVERY_MS = 5_000

interface BackupOptions extends CommonOptions {
  /** False with --no-config-file. */
  configFile: boolean
  keep?: number
}

interface RestoreOptions extends CommonOptions {
  replace?: true
  verify?: true
}

export function addBackup(lectern: Command) {
  addCommand(lectern, 'backup <folder>', 'back up databases, files and configuration; the service may run')
    .option('--no-config-file', 'leave out the configuration file, which contains secrets')
    .addOption(
      new Option(
        '--keep <count>',
        'make a series: each backup in a folder of its own below <folder>, which shares unchanged files with the previous one; all but the newest ones are removed',
      ).argParser(parseCount),
    )
    .action(runBackup)
  addCommand(lectern, 'restore <folder>', 'restore a backup; the service must not run')
    .option('--replace', 'move present data aside, instead of refusing')
    .option('--verify', 'only compare the backup with its checksums')
    .action(runRestore)
}

async function runBackup(folder: string, options: BackupOptions) {
  const config = loadConfig(options.config)
  const report = reporter()
  const onProgress = (progress: BackupProgress) =>
    report(() =>
      'files' in progress
        ? filesDone(progress.files)
        : `databases: ${Math.floor(progress.databases * 100)} %`,
    )
  const configFile = options.configFile ? findConfigFile(options.config) : null
  const common = { config, configFile, version, onProgress }
  const { target, pruned, manifest, files, isAudited } =
    options.keep === undefined
      ? { target: resolve(folder), pruned: [], ...(await backUp({ ...common, target: resolve(folder) })) }
      : await backUpInSeries({ ...common, series: resolve(folder), keep: options.keep })
  const included = [
    manifest.databases.integration ? '2 databases' : '1 database',
    files ? `${copied(files)} files (${megabytes(files.bytes)})` : 'no files, which are in the bucket',
    manifest.config ? 'the configuration with its secrets' : 'no configuration',
  ]
  finish(
    options,
    { folder: target, ...manifest, progress: files, audited: isAudited, pruned },
    `Saved in ${options.keep === undefined ? folder : target}: ${included.join(', ')}.${pruned.length > 0 ? ` Removed ${pruned.join(', ')}.` : ''}`,
    files,
  )
  if (!isAudited) warnOfAuditLog()
}

async function runRestore(folder: string, options: RestoreOptions) {
  const source = resolve(folder)
  const report = reporter()
  const onProgress = (progress: BlobProgress) => report(() => filesDone(progress))
  if (options.verify) {
    const { manifest, files } = await verifyBackup(source, onProgress)
    return finish(
      options,
      { ...manifest, progress: files },
      `The backup of ${manifest.created_at} was compared with its checksums.`,
      files,
    )
  }
  const config = loadConfig(options.config)
  const { manifest, files, replaced, isAudited } = await restore({
    config,
    source,
    replace: options.replace ?? false,
    onProgress,
  })
  const moved = replaced.map(
    each => `The data that was there is in ${each}: remove it when you do not need it.`,
  )
  const says = [`Restored the backup of ${manifest.created_at}.`, ...moved].join('\n')
  finish(options, { ...manifest, progress: files, replaced, audited: isAudited }, says, files)
  if (!isAudited) warnOfAuditLog()
}

function parseCount(value: string): number {
  const count = /^\d{1,4}$/.test(value) ? Number(value) : 0
  if (count < 1) throw new InvalidArgumentError('It is a number from 1 on.')
  return count
}

function warnOfAuditLog() {
  process.stderr.write('The audit log could not take a row about this.\n')
}

function finish(options: CommonOptions, result: object, says: string, files: BlobProgress | null) {
  const { missing = [], damaged = [] } = files ?? {}
  const faults = [
    ...(missing.length > 0 ? [`Missing files: ${missing.join(' ')}`] : []),
    ...(damaged.length > 0 ? [`Damaged files: ${damaged.join(' ')}`] : []),
  ]
  print(options, result, [says, ...faults].join('\n'))
  if (faults.length > 0) process.exitCode = 1
}

/** Writes a line to standard error, from time to time. */
function reporter() {
  let reportedAtMs = performance.now()
  return (line: () => string) => {
    if (performance.now() - reportedAtMs < REPORT_EVERY_MS) return
    reportedAtMs = performance.now()
    process.stderr.write(`${line()}\n`)
  }
}

const copied = ({ copiedFiles, keptFiles }: BlobProgress) => copiedFiles + keptFiles

const filesDone = (progress: BlobProgress) =>
  `${copied(progress)} of ${progress.files} files, ${megabytes(progress.copiedBytes)} copied of ${megabytes(progress.bytes)}`

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
