import type { Worker } from 'mediasoup/types'

const CHECK_INTERVAL_MS = 1_000
/** A worker that leaves this many checks unanswered is considered to hang. */
const MAX_MISSED_CHECKS = 3

type CheckedWorker = Pick<Worker, 'getResourceUsage' | 'closed'>

/**
 * Sends the worker a cheap request at every interval, and calls `onHang` once when it stops answering. Checks are counted
 * instead of time, so that a suspended machine or a blocked event loop counts as one missed check. Returns a stop function.
 */
export function startHealthCheck(
  worker: CheckedWorker,
  onHang: () => void,
  intervalMs = CHECK_INTERVAL_MS,
): () => void {
  let isPending = false
  let missed = 0
  const check = async () => {
    isPending = true
    // A rejection is an answer, too. The pool handles a worker's death.
    await worker.getResourceUsage().catch(() => {})
    isPending = false
    missed = 0
  }
  const timer = setInterval(() => {
    if (worker.closed) return clearInterval(timer)
    if (!isPending) return void check()
    missed += 1
    if (missed < MAX_MISSED_CHECKS) return
    clearInterval(timer)
    onHang()
  }, intervalMs)
  return () => clearInterval(timer)
}
