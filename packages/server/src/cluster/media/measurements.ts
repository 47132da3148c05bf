import { Refusal } from '@lectern/protocol'
import type { MediaTraffic, ProbeTransport } from '../../media/ports.ts'
import type { MediaNodePool } from './media-node-pool.ts'
import type { RemoteRoom } from './remote-room.ts'

/** The answers of the nodes that answer. */
export async function askAll<T>(nodeIds: string[], ask: (nodeId: string) => Promise<T>): Promise<T[]> {
  const answers = await Promise.allSettled(nodeIds.map(ask))
  return answers.flatMap(answer => (answer.status === 'fulfilled' ? [answer.value] : []))
}

/** The loss is the mean of the nodes. */
export async function measureTraffic(nodes: MediaNodePool, rooms: RemoteRoom[]): Promise<MediaTraffic> {
  const byNode = new Map<string, number[]>()
  for (const { nodes: serving, sessionId } of rooms)
    for (const nodeId of serving.keys()) byNode.set(nodeId, [...(byNode.get(nodeId) ?? []), sessionId])
  const all = await askAll([...byNode.keys()], nodeId =>
    nodes.request(nodeId, 'traffic', { sessionIds: byNode.get(nodeId) ?? [] }),
  )
  const losses = all.map(({ packetLoss }) => packetLoss).filter(loss => loss !== null)
  return {
    incomingBps: sum(all.map(({ incomingBps }) => incomingBps)),
    outgoingBps: sum(all.map(({ outgoingBps }) => outgoingBps)),
    packetLoss: losses.length === 0 ? null : sum(losses) / losses.length,
  }
}

/** A probe on the node where a session would be placed now. */
export async function openProbe(
  nodes: MediaNodePool,
  lifetimeMs: number,
  onClose: () => void,
): Promise<ProbeTransport> {
  const nodeId = await nodes.choose({}, performance.now()).catch(error => {
    throw new Refusal('temporarily_unavailable', undefined, { cause: error })
  })
  const probe = await nodes.request(nodeId, 'probe', { lifetimeMs })
  setTimeout(onClose, lifetimeMs).unref()
  return probe
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)
