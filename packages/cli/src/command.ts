import { type Config, loadConfig, type Operator, openOperator } from '@lectern/server/operator'
import type { Command } from 'commander'

/** What every command takes beside its own options. */
export interface Common {
  config?: string
  json?: true
}

/** A new command of this group; `usage` as in "add <login>". */
export const addCommand = (group: Command, usage: string, about: string): Command =>
  withJson(group.command(usage))
    .description(about)
    .option('--config <file>', 'configuration file (else SVC_CONFIG, else lectern.ini)')

export const withJson = (command: Command): Command =>
  command.option('--json', 'print one JSON object and nothing else')

/** Does the work with the stores of the configured service, whether that runs or not. */
export async function withOperator<T>(
  { config: file }: Common,
  work: (operator: Operator, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig(file)
  const operator = await openOperator(config)
  try {
    return await work(operator, config)
  } finally {
    await operator.close()
  }
}
