import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type CopyOptions,
  copyStores,
  isPostgresUrl,
  loadConfig,
  OperatorError,
} from '@lectern/server/operator'
import type { Command } from 'commander'
import { addCommand, type CommonOptions } from '../command.ts'
import { print, table } from '../output.ts'

const PROGRESS_INTERVAL_MS = 1_000

interface Options extends CommonOptions {
  from: string
  integration?: string
  to?: string
}

export function addDb(lectern: Command) {
  const db = lectern.command('db').description('move the databases')

  addCommand(db, 'copy', 'copy the SQLite databases of a stopped service into an empty PostgreSQL database')
    .requiredOption('--from <file>', 'SQLite file of the main store, such as data/lectern.db')
    .option(
      '--integration <file>',
      'that of the partner module (default: integration.db beside it, if it exists)',
    )
    .option('--to <url>', 'address of the empty database (default: [Db] Url)')
    .action(copy)
}

async function copy(options: Options) {
  const beside = join(dirname(options.from), 'integration.db')
  const to = options.to ?? loadConfig(options.config).Db.Url
  if (!isPostgresUrl(to)) throw new OperatorError('--to, or [Db] Url, must be an address postgres://…')
  const tables = await copyStores({
    main: options.from,
    integration: options.integration ?? (existsSync(beside) ? beside : null),
    to,
    onProgress: progressOn(process.stderr),
  })
  const rows = tables.map(each => [each.table, String(each.rows)])
  print(options, { tables }, table(['table', 'rows'], rows))
}

/** A line each second, and one when a large table is complete. */
function progressOn(stream: NodeJS.WritableStream): CopyOptions['onProgress'] {
  let printedAtMs = performance.now()
  return ({ table: name, rows, total }) => {
    if (performance.now() - printedAtMs < PROGRESS_INTERVAL_MS) return
    printedAtMs = performance.now()
    stream.write(`${name}: ${rows} of ${total} rows\n`)
  }
}
