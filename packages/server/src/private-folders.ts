import { chmodSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config/index.ts'

/** Mode bits that let others than the owner in. */
export const OTHERS = 0o077

/** Folders that the service makes itself, below its data folder. */
const FOLDERS = ['blobs', 'recorder', 'transcriber']

/**
 * Closes the service's own folders of an installation from before files were private. The data folder itself is the
 * operator's, who may have chosen one with other things in it: `lectern doctor` says what to do about that.
 */
export function closeOwnFolders({ Server }: Config): void {
  for (const name of FOLDERS) {
    const folder = join(Server.DataDir, name)
    if (!existsSync(folder)) continue
    const { mode, uid } = statSync(folder)
    if ((mode & OTHERS) !== 0 && uid === process.getuid?.()) chmodSync(folder, 0o700)
  }
}
