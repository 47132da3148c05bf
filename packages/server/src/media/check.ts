import { once } from 'node:events'
import { withTimeout } from '@lectern/common'

const TIMEOUT_MS = 10_000

/** Starts and stops a media worker. Returns the version of mediasoup; throws when the worker does not start. */
export async function checkMediaWorker(): Promise<string> {
  const { createWorker, version } = await import('mediasoup')
  const startAndStop = async () => {
    const worker = await createWorker({ logLevel: 'error' })
    const ended = once(worker, 'subprocessclose')
    worker.close()
    await ended
  }
  const timeout = () => new Error(`it did not start and stop within ${TIMEOUT_MS / 1000} s`)
  await withTimeout(startAndStop(), TIMEOUT_MS, timeout)
  return version
}
