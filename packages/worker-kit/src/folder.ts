import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process that is to end may still be at it. */
const TRY_FOR_MS = 15_000
const TRY_EVERY_MS = 250

/** Makes the folder this process's own until it ends. Rejects when another process keeps it. */
export async function takeFolder(folder: string, tryForMs = TRY_FOR_MS): Promise<void> {
  await mkdir(folder, { recursive: true })
  const until = performance.now() + tryForMs
  for (;;) {
    try {
      return await lock(folder)
    } catch (error) {
      if (performance.now() > until) throw error
      await sleep(TRY_EVERY_MS)
    }
  }
}

/** What the server knows the worker by, also after it was started anew. */
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
 * A socket in Linux's abstract namespace, named by the folder: the kernel lets go of it with the process, however
 * that ends, and nothing is left behind that could be taken for a lock. Other systems have no such names.
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
