import { existsSync, statSync } from 'node:fs'
import { OTHERS } from '../../platform/private-folders.ts'
import { type Check, type Finding, ok, warn } from './check.ts'

const WORLD = 0o007
const GROUP_WRITE = 0o020

/**
 * Only the service's user may access databases, recordings and logs; a proxy that sends files for it (SendfileHeader)
 * reads recordings as a member of their group.
 */
export const dataFolder: Check = ({ config: { Server, Storage } }) => {
  const isForProxy = Storage.SendfileHeader !== 'none'
  const exposed = [
    { folder: Server.DataDir, forbidden: OTHERS, modes: 'go=' },
    {
      folder: Storage.Url,
      ...(isForProxy
        ? { forbidden: WORLD | GROUP_WRITE, modes: 'g-w,o=' }
        : { forbidden: OTHERS, modes: 'go=' }),
    },
  ].filter(({ folder, forbidden }) => existsSync(folder) && (modeOf(folder) & forbidden) !== 0)
  if (exposed.length === 0)
    return ok(
      `Not accessible to other users${isForProxy ? ', but for the files to the group of the proxy' : ''}.`,
    )
  const commands = exposed.map(({ folder, modes }) => `chmod -R ${modes} ${folder}`)
  return warn(
    `Accessible to other users: ${exposed.map(({ folder }) => folder).join(', ')}.`,
    `Run: ${commands.join(' && ')}.`,
  )
}

/** The file contains the signing key of all tokens. Root MAY own it, and the service's group MAY read it. */
export function configMode(file: string): Finding {
  const mode = modeOf(file)
  if ((mode & (WORLD | GROUP_WRITE)) === 0) return ok(file)
  return warn(
    `${file} is accessible to other users (mode ${(mode & 0o777).toString(8)}).`,
    `Run: chmod 600 ${file}.`,
  )
}

const modeOf = (path: string) => statSync(path).mode
