import type { Worker } from 'mediasoup/types'

const ROUND_MS = 1_000
/** A worker that owes its answer for this many rounds hangs. */
const PATIENCE_ROUNDS = 3

type Watched = Pick<Worker, 'getResourceUsage' | 'closed'>

/**
 * Asks the worker something cheap again and again, and tells once when it has stopped answering. Rounds are counted,
 * not time: when this process itself was held up, or the machine asleep, that is one round at most. Returns what ends it.
 */
export function watchWorker(worker: Watched, onHang: () => void, roundMs = ROUND_MS): () => void {
  let asking = false
  let rounds = 0
  const ask = async () => {
    asking = true
    // A refusal is an answer too; what follows from a death is not told here.
    await worker.getResourceUsage().catch(() => {})
    asking = false
    rounds = 0
  }
  const timer = setInterval(() => {
    if (worker.closed) return clearInterval(timer)
    if (!asking) return void ask()
    rounds += 1
    if (rounds < PATIENCE_ROUNDS) return
    clearInterval(timer)
    onHang()
  }, roundMs)
  return () => clearInterval(timer)
}
