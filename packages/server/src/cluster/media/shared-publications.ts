import type { RemotePublication } from '../../media/ports.ts'
import type { MediaNodePool } from './media-node-pool.ts'
import type { NodeRoom } from './node-room.ts'
import type { RemoteRoom } from './remote-room.ts'

/** A description has at most a few kilobytes. */
const PER_MESSAGE = 200

/** Makes the publications of a session known to those of its media nodes that do not have their senders. */
export class SharedPublications {
  readonly #nodes: MediaNodePool

  constructor(nodes: MediaNodePool) {
    this.#nodes = nodes
  }

  /** To be called after each change. Sends only what the nodes do not know yet. */
  share(room: RemoteRoom): void {
    for (const node of room.nodes.values())
      if (room.nodes.size > 1 || node.shared.size > 0) this.#shareWith(room, node)
  }

  #shareWith(room: RemoteRoom, node: NodeRoom): void {
    const wanted = new Map<string, RemotePublication>()
    for (const [id, { publication, nodeId, track }] of room.publications)
      if (track && nodeId !== node.nodeId && track.nodeId !== node.nodeId)
        wanted.set(id, { publication, track })
    const add = [...wanted].filter(([id, { track }]) => node.shared.get(id) !== track.producerId)
    const remove = [...node.shared.keys()].filter(id => !wanted.has(id))
    node.shared = new Map([...wanted].map(([id, { track }]) => [id, track.producerId]))
    for (let i = 0; i < Math.max(add.length, remove.length); i += PER_MESSAGE) {
      const body = {
        ...room.ref,
        add: add.slice(i, i + PER_MESSAGE).map(([, each]) => each),
        remove: remove.slice(i, i + PER_MESSAGE),
      }
      this.#nodes.request(node.nodeId, 'remote', body).catch(() => {
        node.isUncertain = true
      })
    }
  }
}
