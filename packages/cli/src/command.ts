import { existsSync } from 'node:fs'
import {
  type Config,
  findConfigFile,
  isPostgresUrl,
  loadConfig,
  type Operator,
  openOperator,
} from '@lectern/server/operator'
import type { Command } from 'commander'

/** The options of every command. */
export interface CommonOptions {
  config?: string
  json?: true
}

/** Adds a command to a group; `usage` as in "add <login>". */
export const addCommand = (group: Command, usage: string, description: string): Command =>
  withJson(group.command(usage))
    .description(description)
    .option('--config <file>', 'configuration file (default: $SVC_CONFIG, otherwise lectern.ini)')

export const withJson = (command: Command): Command =>
  command.option('--json', 'print the result as one JSON object')

/** Opens the databases of the configured service, which may be running, and closes them afterwards. */
export async function withOperator<T>(
  { config: file }: CommonOptions,
  work: (operator: Operator, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig(file)
  if (findConfigFile(file) === null) warnOfNewDatabase(config)
  const operator = await openOperator(config)
  try {
    return await work(operator, config)
  } finally {
    await operator.close()
  }
}

/** A command in the wrong folder would otherwise succeed in a database that no service uses. */
function warnOfNewDatabase({ Db }: Config): void {
  if (isPostgresUrl(Db.Url) || existsSync(Db.Url)) return
  process.stderr.write(
    `lectern: There is no lectern.ini in this folder, so this command creates ${Db.Url}. To use another database, name the configuration file with --config or SVC_CONFIG.\n`,
  )
}
