import { backoffMs } from '@lectern/common'
import type { PipeNotice } from './node-protocol.ts'
import type { NodeMessages } from './ports.ts'

const RETRY = { firstMs: 250, maxMs: 2_000, jitter: 0.5 }
const GIVE_UP_MS = 60_000

/**
 * Sends a notice again and again until it arrives, as long as it is true: the other node may be disconnected for a moment,
 * and does not notice what it has missed.
 */
export async function deliver(
  messages: NodeMessages,
  nodeId: string,
  notice: PipeNotice,
  isTrue: () => boolean,
): Promise<void> {
  for (let failures = 0; isTrue(); failures++) {
    const isDelivered = await messages.notify(nodeId, notice).then(
      () => true,
      () => false,
    )
    if (isDelivered) return
    await new Promise<void>(resolve => setTimeout(resolve, backoffMs(failures, RETRY)).unref())
  }
}

/** True for a minute: for messages that stay true, to a node that may be gone. */
export function forAMinute(): () => boolean {
  const until = performance.now() + GIVE_UP_MS
  return () => performance.now() < until
}
