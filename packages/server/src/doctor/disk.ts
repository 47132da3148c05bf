import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Check, type Finding, fail, ok, warn } from './check.ts'

const GB = 1e9
const WARN_BELOW = 5 * GB
const FAIL_BELOW = 0.5 * GB

export const diskSpace: Check = async ({ config }) => {
  const { DataDir } = config.Server
  const { bavail, bsize } = await statfs(existingPart(DataDir))
  return judgeSpace(bavail * bsize, DataDir)
}

export function judgeSpace(free: number, folder: string): Finding {
  const says = `${(free / GB).toFixed(1)} GB free in ${folder}`
  const todo = 'Free some, or move [Server] DataDir to a larger disk: recordings need room.'
  if (free < FAIL_BELOW) return fail(says, todo)
  return free < WARN_BELOW ? warn(says, todo) : ok(says)
}

/** The folder itself, or else the nearest one above it that exists: the rest is made at the first start. */
export function existingPart(folder: string): string {
  return existsSync(folder) ? folder : existingPart(dirname(folder))
}
