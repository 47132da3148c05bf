import { stat, statfs } from 'node:fs/promises'
import type { AdminStorageResponse } from '@lectern/protocol'
import type { AdministrationLists } from '../stores/administration.ts'

type Use = AdminStorageResponse['disks'][number]['uses'][number]

interface StorageStatusOptions {
  /** A database on another machine, and files in a bucket, have no folder here. */
  folders: Partial<Record<Use, string>>
  /** The sizes of the databases in bytes. */
  databases: () => Promise<number[]>
  /** The bucket that has the files; null: they are on a disk. */
  bucket: string | null
  /** Bytes that uploads leave free. */
  reserve: number
  lists: AdministrationLists
}

/** Disk space, and what the server stores. */
export async function readStorage({
  folders,
  databases,
  bucket,
  reserve,
  lists,
}: StorageStatusOptions): Promise<AdminStorageResponse> {
  const [disks, counts, sizes] = await Promise.all([readDisks(folders), lists.counts(), databases()])
  return {
    result: 200,
    disks,
    bucket,
    reserve_bytes: reserve,
    file_count: counts.files,
    file_bytes: counts.bytes,
    upload_count: counts.uploads,
    recording_count: counts.recordings,
    transcript_count: counts.transcripts,
    database_bytes: sizes.reduce((sum, size) => sum + size, 0),
  }
}

/** Free bytes of the fullest disk; one of the folders MUST exist. */
export const leastFreeBytes = async (folders: StorageStatusOptions['folders']): Promise<number> =>
  Math.min(...(await readDisks(folders)).map(({ free_bytes }) => free_bytes))

/** Folders on the same disk are one entry. */
async function readDisks(folders: StorageStatusOptions['folders']): Promise<AdminStorageResponse['disks']> {
  const disks = new Map<number, AdminStorageResponse['disks'][number]>()
  for (const [use, folder] of Object.entries(folders) as [Use, string][]) {
    const found = await stat(folder).catch(() => null)
    if (!found) continue
    const known = disks.get(found.dev)
    if (known) known.uses.push(use)
    else {
      const { blocks, bavail, bsize } = await statfs(folder)
      disks.set(found.dev, {
        uses: [use],
        folder,
        total_bytes: blocks * bsize,
        free_bytes: bavail * bsize,
      })
    }
  }
  return [...disks.values()]
}
