import { existsSync, statSync } from 'node:fs'
import { OTHERS } from '../../platform/private-folders.ts'
import { type Check, type Finding, ok, warn } from './check.ts'

const WORLD = 0o007
const GROUP_WRITE = 0o020

/** Only the service's user may access databases, recordings and logs. */
export const dataFolder: Check = ({ config }) => {
  const folders = [config.Server.DataDir, config.Storage.Url].filter(existsSync)
  const exposed = folders.filter(folder => (modeOf(folder) & OTHERS) !== 0)
  if (exposed.length === 0) return ok('Not accessible to other users.')
  return warn(`Accessible to other users: ${exposed.join(', ')}.`, `Run: chmod -R go= ${exposed.join(' ')}.`)
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
