import { once } from 'node:events'
import { withTimeout } from '@lectern/common'

const WITHIN_MS = 10_000

/** Starts a media worker and ends it again. Gives the version; throws when the worker does not get that far. */
export async function checkMediaWorker(): Promise<string> {
  const { createWorker, version } = await import('mediasoup')
  const startAndEnd = async () => {
    const worker = await createWorker({ logLevel: 'error' })
    const ended = once(worker, 'subprocessclose')
    worker.close()
    await ended
  }
  const timeout = () => new Error(`it did not start and end within ${WITHIN_MS / 1000} s`)
  await withTimeout(startAndEnd(), WITHIN_MS, timeout)
  return version
}
