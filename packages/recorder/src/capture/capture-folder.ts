import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Subfolder of the journals. */
export const TRACKS = 'tracks'

/** Whether any journal in the folder of a job has content. */
export async function hasCaptured(folder: string): Promise<boolean> {
  const journals = await readdir(join(folder, TRACKS)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const stats = await Promise.all(journals.map(name => stat(join(folder, TRACKS, name))))
  return stats.some(({ size }) => size > 0)
}
