import type { CopyProgress } from '@lectern/server/operator'
import type { Command } from 'commander'
import { addCommand, type CommonOptions, withOperator } from '../command.ts'
import { print } from '../output.ts'

const REPORT_EVERY_MS = 5_000

export function addStorage(lectern: Command) {
  const storage = lectern.command('storage').description('manage the files of recordings')

  addCommand(
    storage,
    'copy <folder>',
    'copy the files of a folder to the configured bucket; may be repeated',
  ).action(copy)
}

async function copy(folder: string, options: CommonOptions) {
  let reportedAt = Date.now()
  const onProgress = (progress: CopyProgress) => {
    if (Date.now() - reportedAt < REPORT_EVERY_MS) return
    reportedAt = Date.now()
    process.stderr.write(`${partOf(progress)}\n`)
  }
  const result = await withOperator(options, operator => operator.copyFiles(folder, onProgress))
  const { missing, damaged } = result
  const faults = [
    ...(missing.length > 0 ? [`Not in the folder: ${missing.join(' ')}`] : []),
    ...(damaged.length > 0 ? [`Damaged and not copied: ${damaged.join(' ')}`] : []),
  ]
  print(options, result, [summaryOf(result), ...faults].join('\n'))
  if (damaged.length > 0) process.exitCode = 1
}

const partOf = ({ files, bytes, copiedFiles, copiedBytes, skippedFiles, skippedBytes }: CopyProgress) =>
  `${copiedFiles + skippedFiles} of ${files} files, ${megabytes(copiedBytes + skippedBytes)} of ${megabytes(bytes)}`

const summaryOf = ({ copiedFiles, copiedBytes, skippedFiles }: CopyProgress) =>
  `Copied ${copiedFiles} files (${megabytes(copiedBytes)}); ${skippedFiles} were in the bucket already.`

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
