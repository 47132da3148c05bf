import { statfs } from 'node:fs/promises'
import { ensure, Refusal } from '@lectern/protocol'

/** Reserved for the databases, which share the disk by default. */
export const RESERVE_BYTES = 500_000_000

/** Throws `insufficient_storage` unless the bytes fit beside the reserve. */
export async function ensureDiskSpace(folder: string, bytes: number, reserve: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  ensure(bavail * bsize - bytes >= reserve, 'insufficient_storage')
}

/** Maps a full disk, which other writers can cause at any time. */
export function rethrowDiskFull(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT')
    throw new Refusal('insufficient_storage', undefined, { cause: error })
  throw error
}
