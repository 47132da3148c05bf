import { randomInt } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { Downloader } from './downloader.ts'

/** The load of one client on one connection. */
export interface Load {
  url: string
  path: string
  token: string
  fileBytes: number
  /** The size of random ranges; absent: whole files. */
  rangeBytes?: number
  seconds: number
}

// One thread per client, as clients have their own machines: with a single thread data would pile up in kernel buffers,
// and the benchmark would measure memory bandwidth.
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
