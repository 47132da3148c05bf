import type { NodeMessages } from '../../media/pipes/ports.ts'
import type { ClusterNetwork } from '../network/network.ts'
import { nodeSubject } from './protocol.ts'

/** The other node answers at once; its worker may need a moment to open a transport. */
const TIMEOUT_MS = 5_000

/**
 * Carries messages about pipes from this media node to others. Notices are requests, too, with one subject for both:
 * they keep their order.
 */
export const pipeMessages = (network: Pick<ClusterNetwork, 'request'>): NodeMessages => {
  const request: NodeMessages['request'] = (nodeId, body) =>
    network.request(nodeSubject(nodeId), { name: 'pipe', body }, TIMEOUT_MS)
  return {
    request,
    notify: async (nodeId, notice) => void (await request(nodeId, notice as never)),
  }
}
