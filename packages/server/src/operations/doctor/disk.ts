import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Check, type Finding, fail, ok, warn } from './check.ts'

const GB = 1e9
const WARN_BELOW = 5 * GB
const FAIL_BELOW = 0.5 * GB

export const diskSpace: Check = async ({ config }) => {
  const { DataDir } = config.Server
  const { bavail, bsize } = await statfs(nearestExisting(DataDir))
  return findingFor(bavail * bsize, DataDir)
}

export function findingFor(free: number, folder: string): Finding {
  const says = `${(free / GB).toFixed(1)} GB free in ${folder}`
  const todo = 'Free disk space, or move [Server] DataDir to a larger disk; recordings need space.'
  if (free < FAIL_BELOW) return fail(says, todo)
  return free < WARN_BELOW ? warn(says, todo) : ok(says)
}

/** The folder, or its nearest existing ancestor: missing folders are created at the first start. */
export function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(dirname(folder))
}
