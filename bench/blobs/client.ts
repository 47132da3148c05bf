import { randomInt } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { Downloader } from './downloader.ts'

/** What one client does, on one connection, for a while. */
export interface Load {
  url: string
  path: string
  token: string
  fileBytes: number
  /** At random places; without it, whole files. */
  rangeBytes?: number
  seconds: number
}

// A thread for each client, as people have machines of their own: one thread for all of them would let what the
// server sends pile up in the kernel, and then it is memory that is measured.
parentPort?.on('message', async ({ url, path, token, fileBytes, rangeBytes, seconds }: Load) => {
  const downloader = await Downloader.open(url)
  const range = (): [number, number] | undefined => {
    if (!rangeBytes) return undefined
    const start = randomInt(fileBytes - rangeBytes)
    return [start, start + rangeBytes - 1]
  }
  let bytes = 0
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) bytes += await downloader.download({ path, token, range: range() })
  downloader.close()
  parentPort?.postMessage(bytes)
})
