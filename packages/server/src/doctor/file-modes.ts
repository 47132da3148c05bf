import { existsSync, statSync } from 'node:fs'
import { OTHERS } from '../private-folders.ts'
import { type Check, type Finding, ok, warn } from './check.ts'

const WORLD = 0o007
const GROUP_WRITE = 0o020

/** Databases, recordings and logs are for the service's user alone. */
export const dataFolder: Check = ({ config }) => {
  const folders = [config.Server.DataDir, config.Storage.Url].filter(existsSync)
  const open = folders.filter(folder => (modeOf(folder) & OTHERS) !== 0)
  if (open.length === 0) return ok('Closed to other users.')
  return warn(`Other users may look into ${open.join(', ')}.`, `Run: chmod -R go= ${open.join(' ')}.`)
}

/** It holds the key of all tokens. Root may own it and a group of the service may read it. */
export function configMode(file: string): Finding {
  const mode = modeOf(file)
  if ((mode & (WORLD | GROUP_WRITE)) === 0) return ok(file)
  return warn(
    `${file} is open to other users (mode ${(mode & 0o777).toString(8)}).`,
    `Run: chmod 600 ${file}.`,
  )
}

const modeOf = (path: string) => statSync(path).mode
