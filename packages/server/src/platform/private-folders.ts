import { chmodSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config/index.ts'

/** Permission bits of group and others. */
export const OTHERS = 0o077

/** Folders that the service creates in its data folder. */
const FOLDERS = ['blobs', 'recorder', 'transcriber', 'converter']

/**
 * Restricts the folders of the service to their owner; older versions created them with wider permissions. The data folder
 * itself belongs to the operator and may contain other files: `lectern doctor` reports its permissions.
 */
export function closeOwnFolders({ Server }: Config): void {
  for (const name of FOLDERS) {
    const folder = join(Server.DataDir, name)
    if (!existsSync(folder)) continue
    const { mode, uid } = statSync(folder)
    if ((mode & OTHERS) !== 0 && uid === process.getuid?.()) chmodSync(folder, 0o700)
  }
}
