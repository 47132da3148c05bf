import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config/index.ts'

/** In the data folder while `lectern restore` writes it, or after it was interrupted. */
export const restoreMarker = ({ Server }: Pick<Config, 'Server'>): string =>
  join(Server.DataDir, 'lectern-restore.incomplete')

/** Throws if an interrupted restore has written only a part of the databases and files (rule BACKUP-7). */
export function ensureRestored(config: Pick<Config, 'Server'>): void {
  if (existsSync(restoreMarker(config)))
    throw new Error(
      `A restore into ${config.Server.DataDir} was interrupted, so the data is incomplete: run "lectern restore" again.`,
    )
}
