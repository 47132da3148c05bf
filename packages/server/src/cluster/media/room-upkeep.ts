import type { Logger } from 'pino'
import type { RemoteTrack } from '../../media/pipes/ports.ts'
import type {
  MovedRoute,
  Publication,
  PublishedTrack,
  RoomDescription,
  SfuEvents,
} from '../../media/ports.ts'
import type { ClusterNetwork } from '../network/network.ts'
import type { MediaNodePool } from './media-node-pool.ts'
import type { NodeRoom } from './node-room.ts'
import {
  eventNames,
  eventsSubject,
  type NodeEvent,
  type NodeEventName,
  type SfuEventName,
  sessionIdIn,
  TRACK,
} from './protocol.ts'
import type { RemoteRoom } from './remote-room.ts'
import type { RoomRoutes } from './room-routes.ts'
import type { SharedPublications } from './shared-publications.ts'

interface RoomUpkeepParts {
  rooms: Map<number, RemoteRoom>
  /** Sessions whose rooms are not known yet, although nodes may count them as ours. */
  adopting: ReadonlySet<number>
  nodes: MediaNodePool
  routes: RoomRoutes
  shared: SharedPublications
  network: ClusterNetwork
  ownerId: string
  events: SfuEvents
  log: Logger
}

const KEEP_INTERVAL_MS = 1_000
const KEEP_TIMEOUT_MS = 4_000
/** Sessions that begin to leave a draining node in each interval. */
const DRAINED_AT_ONCE = 100

/** Keeps the rooms of a server and those on the nodes the same: passes events on, and finds what was lost. */
export class RoomUpkeep {
  readonly #parts: RoomUpkeepParts
  readonly #closers: (() => void)[]
  /** The number of the last event, by node. */
  readonly #lastEvents = new Map<string, number>()

  constructor(parts: RoomUpkeepParts) {
    this.#parts = parts
    const { network, nodes, ownerId } = parts
    const timer = setInterval(() => this.#tick(), KEEP_INTERVAL_MS)
    this.#closers = [
      () => clearInterval(timer),
      nodes.onGone(nodeId => this.#onGone(nodeId)),
      // The node closes its rooms of sessions that have moved meanwhile, so that they are not used again as they are.
      nodes.onJoined(nodeId => void this.#keep(nodeId, this.#claimedOn(nodeId))),
      network.subscribe(eventsSubject(ownerId), (message, { from }) => this.#receive(from, message)),
      network.onReconnect(() => {
        for (const nodeId of nodes.ids) this.#doubt(nodeId)
        this.#tick()
      }),
    ]
  }

  stop(): void {
    for (const close of this.#closers.splice(0)) close()
  }

  /** Makes the node drop what this server has closed, and publishes what it has missed. Null: the room is lost. */
  async reconcile(room: RemoteRoom, node: NodeRoom): Promise<RoomDescription | null> {
    const { nodes, routes } = this.#parts
    const { nodeId, mutes } = node
    node.isUncertain = false
    node.mutes = []
    try {
      const before = room.publicationsOn(nodeId)
      const owners = before.map(({ participantId }) => participantId)
      const members = [...new Set([...room.membersOn(nodeId), ...owners])]
      const description = await nodes.request(nodeId, 'reconcile', { ...room.ref, members, mutes })
      if (room.isClosed || room.nodes.get(nodeId) !== node) return null
      if (description) this.#compare(room, node, before, description)
      else routes.lost(room, nodeId)
      return description
    } catch (error) {
      node.isUncertain = true
      node.mutes = [...mutes, ...node.mutes]
      throw error
    }
  }

  #compare(room: RemoteRoom, node: NodeRoom, before: Publication[], description: RoomDescription): void {
    const { nodeId } = node
    const { route, tracks = [], remote = [] } = description
    for (const [name, args] of room.missedEvents(nodeId, before, description))
      this.#emit(room, nodeId, name, args)
    if (route && node.workerIds.size > 0 && BigInt(route.routeGeneration) > BigInt(room.generation))
      this.#emit(room, nodeId, 'moved', [room.sessionId, route])
    node.shared = new Map(remote.map(({ publicationId, producerId }) => [publicationId, producerId]))
    room.setTracks(nodeId, tracks)
    this.#parts.shared.share(room)
  }

  #tick(): void {
    const { network, nodes, rooms, routes, log } = this.#parts
    if (!network.isConnected) return
    const byNode = new Map<string, number[]>()
    let drained = 0
    for (const room of rooms.values()) {
      for (const nodeId of room.claims) byNode.set(nodeId, [...(byNode.get(nodeId) ?? []), room.sessionId])
      for (const node of room.nodes.values()) {
        routes.leave(room, node.nodeId)
        if (nodes.isDraining(node.nodeId) && drained < DRAINED_AT_ONCE) {
          drained += 1
          void routes.drain(room, node.nodeId)
        }
        if (node.isUncertain)
          this.reconcile(room, node).catch(error =>
            log.debug(
              { err: error, conference_session_id: room.sessionId, node: node.nodeId },
              'a room could not be reconciled yet',
            ),
          )
      }
    }
    for (const [nodeId, sessionIds] of byNode) void this.#keep(nodeId, sessionIds)
  }

  #claimedOn(nodeId: string): number[] {
    const claimed = [...this.#parts.rooms.values()].filter(({ claims }) => claims.has(nodeId))
    return claimed.map(({ sessionId }) => sessionId)
  }

  /** Reports the rooms to their node, which would close them otherwise. */
  async #keep(nodeId: string, claimed: number[]): Promise<void> {
    const { adopting, nodes, rooms, routes } = this.#parts
    const sessionIds = [...claimed, ...adopting]
    try {
      const { unknown, lastEvent } = await nodes.request(nodeId, 'keep', { sessionIds }, KEEP_TIMEOUT_MS)
      // The answer comes after all events that were sent before it.
      if (lastEvent > (this.#lastEvents.get(nodeId) ?? 0)) {
        this.#lastEvents.set(nodeId, lastEvent)
        this.#doubt(nodeId)
      }
      for (const sessionId of unknown) {
        const room = rooms.get(sessionId)
        if (room) routes.lost(room, nodeId)
      }
    } catch {
      // The node is gone, which others notice, or reports come again in a second.
    }
  }

  #receive(nodeId: string, message: unknown): void {
    const { number, name, args } = (message ?? {}) as Partial<NodeEvent>
    if (typeof number !== 'number' || !isEventName(name) || !Array.isArray(args)) return
    if (number !== (this.#lastEvents.get(nodeId) ?? 0) + 1) this.#doubt(nodeId)
    this.#lastEvents.set(nodeId, number)
    const sessionId = sessionIdIn(args)
    const room = sessionId === undefined ? undefined : this.#parts.rooms.get(sessionId)
    // Former nodes still report what happens in the rooms that they are about to close.
    if (!room?.nodes.has(nodeId)) return
    if (name === TRACK) this.#handleTrack(room, nodeId, args)
    else this.#emit(room, nodeId, name, args)
  }

  #handleTrack(room: RemoteRoom, nodeId: string, [, publicationId, track]: unknown[]): void {
    const published = { publicationId, ...(track as RemoteTrack) } as PublishedTrack
    if (room.setTracks(nodeId, [published])) this.#parts.shared.share(room)
  }

  #emit(room: RemoteRoom, nodeId: string, name: SfuEventName, args: unknown[]): void {
    const { events, routes, shared } = this.#parts
    if (name === 'moved') {
      routes.workerDied(room, nodeId, args[1] as MovedRoute)
      return
    }
    const event = room.apply(nodeId, [name, args])
    if (!event) return
    const handlers = events as unknown as Record<SfuEventName, (...args: unknown[]) => void>
    handlers[event[0]](...event[1])
    if (name === 'unpublished') shared.share(room)
  }

  /** Events of the node were lost, or messages to it. */
  #doubt(nodeId: string): void {
    for (const { nodes } of this.#parts.rooms.values()) {
      const node = nodes.get(nodeId)
      if (node) node.isUncertain = true
    }
  }

  #onGone(nodeId: string): void {
    this.#lastEvents.delete(nodeId)
    const { rooms, routes, log } = this.#parts
    const lost = [...rooms.values()].filter(({ claims }) => claims.has(nodeId))
    if (lost.length > 0)
      log.warn({ node: nodeId, sessions: lost.length }, 'a media node is gone; its participants move')
    for (const room of lost) routes.lost(room, nodeId)
  }
}

const isEventName = (name: unknown): name is NodeEventName =>
  name === TRACK || eventNames.includes(name as SfuEventName)
