import { statfs } from 'node:fs/promises'
import { ensure, Refusal } from '@lectern/protocol'

/** Kept free for the databases, which share the disk by default. */
export const RESERVE_BYTES = 500_000_000

/** Throws `insufficient_storage` unless that many bytes fit and the reserve stays free. */
export async function ensureSpace(folder: string, bytes: number, reserve: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  ensure(bavail * bsize - bytes >= reserve, 'insufficient_storage')
}

/** For what may fill the disk all the same: others write to it, too. */
export function tellFullDisk(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT')
    throw new Refusal('insufficient_storage', undefined, { cause: error })
  throw error
}
