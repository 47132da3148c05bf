import type { RouteDescription } from '../../media/ports.ts'
import type { Mute } from './protocol.ts'

/** The room of a session on one media node, as its owner knows it. */
export class NodeRoom {
  readonly nodeId: string
  /** The media workers of the node that serve the session, as far as they are known. */
  workerIds = new Set<string>()
  /** Publications of other nodes that it knows, and their producers. */
  shared = new Map<string, string>()
  /** Those that may not have reached the node. */
  mutes: Mute[] = []
  /** Something that was sent or received may be lost. */
  isUncertain = false

  constructor(nodeId: string) {
    this.nodeId = nodeId
  }

  setRoute({
    workerId,
    workerIds = [workerId],
  }: Pick<RouteDescription, 'workerId'> & { workerIds?: string[] }): void {
    this.workerIds = new Set([workerId, ...workerIds])
  }
}
