import { randomUUID } from 'node:crypto'
import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder } from '@lectern/common/make-folder'

/** A process that is shutting down may still hold the lock. */
const LOCK_TIMEOUT_MS = 15_000
const LOCK_RETRY_MS = 250

/** Locks the folder for the lifetime of this process. Rejects when another process holds the lock. */
export async function lockFolder(folder: string, tryForMs = LOCK_TIMEOUT_MS): Promise<void> {
  makeFolder(folder)
  const until = performance.now() + tryForMs
  for (;;) {
    try {
      return await lock(folder)
    } catch (error) {
      if (performance.now() > until) throw error
      await sleep(LOCK_RETRY_MS)
    }
  }
}

/** The worker_id, stable across restarts. */
export async function workerIdIn(folder: string): Promise<string> {
  const file = join(folder, 'worker-id')
  const known = await readFile(file, 'utf8').catch(() => '')
  if (known.trim()) return known.trim()
  const id = `worker-${randomUUID()}`
  await writeFile(`${file}.new`, `${id}\n`)
  await rename(`${file}.new`, file)
  return id
}

/**
 * A socket in Linux's abstract namespace, named after the folder: the kernel releases it with the process, and no stale
 * lock file can remain. Other systems have no equivalent.
 */
async function lock(folder: string): Promise<void> {
  if (process.platform !== 'linux') return
  const { dev, ino } = await stat(folder)
  const server = createServer(socket => socket.destroy()).unref()
  await new Promise<void>((resolve, reject) => {
    server.once('error', () => reject(new Error(`another process uses the folder ${folder}`)))
    server.listen(`\0lectern-worker-${dev}-${ino}`, resolve)
  })
}
