import { Refusal } from '@lectern/protocol'
import type { Logger } from 'pino'
import type { Publication, RouteDescription } from '../../media/ports.ts'
import { NetworkError } from '../network/network-error.ts'
import type { MediaNodePool } from './media-node-pool.ts'
import { consumersOfNext, type Presence, SESSION_CONSUMERS } from './node-placement.ts'
import { NodeRoom } from './node-room.ts'
import type { NodeRequests } from './protocol.ts'
import type { RemoteRoom } from './remote-room.ts'
import type { SharedPublications } from './shared-publications.ts'

interface RoomPlacementParts {
  nodes: MediaNodePool
  shared: SharedPublications
  log: Logger
}

type Opening = NodeRequests['open'][0]

/** Clients give up after about this time and try again. */
const PLACEMENT_TIMEOUT_MS = 5_000
/** Far below the size limit of a message. */
const AWAITED_PER_MESSAGE = 500

/** Chooses the media nodes of a session and its participants, and opens rooms there. */
export class RoomPlacement {
  readonly #parts: RoomPlacementParts

  constructor(parts: RoomPlacementParts) {
    this.#parts = parts
  }

  /** The participant's node, chosen now if it has none. Rejects with `media_no_worker` when there is none. */
  async place(room: RemoteRoom, participantId: string, region?: string): Promise<string> {
    for (;;) {
      const member = room.members.get(participantId)
      if (room.isClosed || !member) throw new Refusal('media_gone')
      if (member.nodeId !== null && room.nodes.has(member.nodeId)) return member.nodeId
      const { nodeId } = await this.find(room, { region })
      // Somebody else may have placed the participant meanwhile.
      if (!room.nodes.has(nodeId) || member.nodeId !== null || room.members.get(participantId) !== member)
        continue
      this.settle(room, [participantId], nodeId)
      return nodeId
    }
  }

  /** The best node for another participant, with the room open; a further node when those of the session are full. */
  async find(
    room: RemoteRoom,
    { region, except }: { region?: string | undefined; except?: ReadonlySet<string> } = {},
  ): Promise<{ nodeId: string }> {
    const { nodes } = this.#parts
    const presence = presenceOf(room)
    const chosen = nodes.chooseNow({ region, except, presence })
    if (chosen !== null && room.nodes.has(chosen)) {
      nodes.addPlaced(chosen, consumersOfNext(presence))
      return { nodeId: chosen }
    }
    room.placing ??= this.#openFurther(room, region, new Set(except)).finally(() => {
      room.placing = null
    })
    const opened = await room.placing
    const nodeId = opened ?? [...room.nodes.keys()].find(id => !except?.has(id))
    if (nodeId === undefined || except?.has(nodeId)) throw new Refusal('media_no_worker')
    return { nodeId }
  }

  /** Gives participants a node, which awaits what they have published elsewhere. Sent before it returns. */
  settle(room: RemoteRoom, participantIds: string[], nodeId: string): void {
    const awaited = room.settle(participantIds, nodeId)
    const node = room.nodes.get(nodeId)
    if (!node || awaited.length === 0) return
    this.#update(room, node, awaited)
    this.#parts.shared.share(room)
  }

  /** Awaits what became known of publications that are not awaited yet. */
  settleOrphans(room: RemoteRoom): void {
    const [node] = room.nodes.values()
    if (!node) return
    const awaited = room.settleOrphans(node.nodeId)
    if (awaited.length > 0) this.#update(room, node, awaited)
  }

  /** The first node of a session detects the speakers, and awaits participants who have no node yet. */
  lead(room: RemoteRoom): void {
    const [node] = room.nodes.values()
    if (!node) return
    this.#update(room, node, room.settleOrphans(node.nodeId), { detectsSpeakers: true })
  }

  /** Lets all nodes have the newest generation, before clients learn of it. */
  raiseGeneration(room: RemoteRoom): void {
    for (const node of room.nodes.values()) this.#update(room, node, [], { generation: room.generation })
  }

  /** A worker of the node, which has one from now on. */
  async openRoute(room: RemoteRoom, nodeId: string): Promise<RouteDescription> {
    const { incarnation, sessionId } = room
    const call = { method: 'openRoute' as const, incarnation, args: [sessionId] }
    const answer = await this.#parts.nodes.request(nodeId, 'call', call)
    if (answer.is !== 'done') throw new Refusal('media_gone')
    const route = answer.value as RouteDescription
    room.raise(route.routeGeneration)
    room.nodes.get(nodeId)?.setRoute(route)
    return route
  }

  /** Closes the room on one node. If that is lost, the node closes it when the room is not reported any more. */
  close(room: RemoteRoom, nodeId: string): void {
    room.claims.delete(nodeId)
    const args = [room.sessionId]
    this.#parts.nodes
      .request(nodeId, 'call', { method: 'closeRoom', incarnation: room.incarnation, args })
      .catch(() => {})
  }

  /** Null: no further node took the session, and those that it has must do. Rejects when it has none. */
  async #openFurther(
    room: RemoteRoom,
    region: string | undefined,
    except: Set<string>,
  ): Promise<string | null> {
    const { nodes, log } = this.#parts
    const deadlineMs = performance.now() + PLACEMENT_TIMEOUT_MS
    for (;;) {
      const wishes = { region, except, presence: presenceOf(room) }
      const isFirst = [...room.nodes.keys()].every(id => except.has(id))
      const nodeId = isFirst ? await nodes.choose(wishes, deadlineMs) : nodes.chooseNow(wishes)
      assertOpen(room)
      if (nodeId === null || room.nodes.has(nodeId)) return nodeId
      nodes.addPlaced(nodeId, SESSION_CONSUMERS)
      const outcome = await this.#open(room, nodeId)
      if (outcome === 'open' && !room.isClosed) return nodeId
      this.close(room, nodeId)
      assertOpen(room)
      if (outcome === 'superseded') throw new Refusal('media_no_session')
      const about = { conference_session_id: room.sessionId, node: nodeId, outcome }
      log.debug(about, 'a media node did not take a session')
      except.add(nodeId)
    }
  }

  async #open(room: RemoteRoom, nodeId: string): Promise<'open' | 'full' | 'superseded' | 'failed'> {
    const isKnown = room.claims.has(nodeId)
    room.claims.add(nodeId)
    const isFirst = room.nodes.size === 0
    const opening = { detectsSpeakers: isFirst, generation: room.firstGeneration }
    const awaited = isFirst ? room.settleOrphans(nodeId) : []
    try {
      const outcome = await this.#send(room, nodeId, awaited, opening)
      if (outcome !== 'open' || room.isClosed) return outcome
      const node = new NodeRoom(nodeId)
      // A room that was left there has participants who are elsewhere now.
      node.isUncertain = isKnown
      room.nodes.set(nodeId, node)
      if (isFirst) this.settleOrphans(room)
      this.#parts.shared.share(room)
      return 'open'
    } catch (error) {
      room.claims.delete(nodeId)
      if (error instanceof NetworkError && error.failure !== 'disconnected') return 'failed'
      throw error
    } finally {
      if (!room.nodes.has(nodeId)) room.dropPublications(nodeId)
    }
  }

  #update(room: RemoteRoom, node: NodeRoom, awaited: Publication[], more: Partial<Opening> = {}): void {
    this.#send(room, node.nodeId, awaited, more).catch(() => {
      node.isUncertain = true
    })
  }

  async #send(
    room: RemoteRoom,
    nodeId: string,
    awaited: Publication[],
    more: Partial<Opening>,
  ): Promise<'open' | 'full' | 'superseded'> {
    const opening: Opening = { ...room.ref, generationAfter: room.generation, ...more }
    const requests: Promise<NodeRequests['open'][1]>[] = []
    for (let i = 0; i === 0 || i < awaited.length; i += AWAITED_PER_MESSAGE) {
      const body = { ...opening, awaited: awaited.slice(i, i + AWAITED_PER_MESSAGE) }
      requests.push(this.#parts.nodes.request(nodeId, 'open', body))
    }
    return (await Promise.all(requests)).find(({ is }) => is !== 'open')?.is ?? 'open'
  }
}

function presenceOf(room: RemoteRoom): Presence {
  const participants = new Map([...room.nodes.keys()].map(id => [id, room.membersOn(id).length]))
  return { participants, publications: room.publications.size }
}

function assertOpen(room: RemoteRoom): void {
  if (room.isClosed) throw new Refusal('media_gone')
}
