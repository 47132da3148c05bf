import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { s3Settings } from '../../platform/config/storage.ts'
import { type Check, type Finding, fail, ok, warn } from './check.ts'

const GB = 1e9
const WARN_BELOW = 5 * GB
const FAIL_BELOW = 0.5 * GB

/** Checks the fuller disk, if databases and recordings have one each. */
export const diskSpace: Check = async ({ config: { Server, Storage } }) => {
  const data = { free: await freeIn(Server.DataDir), folder: Server.DataDir, key: '[Server] DataDir' }
  if (s3Settings(Storage)) return findingFor(data)
  const files = { free: await freeIn(Storage.Url), folder: Storage.Url, key: '[Storage] Url' }
  return findingFor(files.free < data.free ? files : data)
}

async function freeIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(nearestExisting(folder))
  return bavail * bsize
}

/** `key`: the setting of the folder. */
export function findingFor({ free, folder, key }: { free: number; folder: string; key: string }): Finding {
  const says = `${(free / GB).toFixed(1)} GB free in ${folder}`
  const todo = `Free disk space, or move ${key} to a larger disk; recordings need space.`
  if (free < FAIL_BELOW) return fail(says, todo)
  return free < WARN_BELOW ? warn(says, todo) : ok(says)
}

/** The folder, or its nearest existing ancestor: missing folders are created at the first start. */
export function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(dirname(folder))
}
