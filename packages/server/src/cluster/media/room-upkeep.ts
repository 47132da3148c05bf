import type { Logger } from 'pino'
import type { RoomDescription, SfuEvents } from '../../media/ports.ts'
import type { ClusterNetwork } from '../network.ts'
import type { MediaNodes } from './media-nodes.ts'
import { eventNames, eventsSubject, type NodeEvent, type SfuEventName, sessionIdIn } from './protocol.ts'
import type { RemoteRoom } from './remote-room.ts'
import type { RoomRoutes } from './room-routes.ts'

interface Parts {
  rooms: Map<number, RemoteRoom>
  nodes: MediaNodes
  routes: RoomRoutes
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
  readonly #parts: Parts
  readonly #closers: (() => void)[]
  /** The number of the last event, by node. */
  readonly #lastEvents = new Map<string, number>()

  constructor(parts: Parts) {
    this.#parts = parts
    const { network, nodes, ownerId } = parts
    const timer = setInterval(() => this.#tick(), KEEP_INTERVAL_MS)
    this.#closers = [
      () => clearInterval(timer),
      nodes.onGone(nodeId => this.#onGone(nodeId)),
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
  async reconcile(room: RemoteRoom): Promise<RoomDescription | null> {
    const { nodes, routes } = this.#parts
    const { nodeId, mutes } = room
    if (nodeId === null) return null
    room.isUncertain = false
    room.mutes = []
    try {
      const body = { ...room.ref, members: [...room.members.keys()], mutes }
      const description = await nodes.request(nodeId, 'reconcile', body)
      if (room.isClosed || room.nodeId !== nodeId) return null
      if (description) for (const [name, args] of room.missedEvents(description)) this.#emit(room, name, args)
      else routes.lost(room, nodeId)
      return description
    } catch (error) {
      room.isUncertain = true
      room.mutes = [...mutes, ...room.mutes]
      throw error
    }
  }

  #tick(): void {
    const { network, nodes, rooms, routes, log } = this.#parts
    if (!network.isConnected) return
    const byNode = new Map<string, number[]>()
    let drained = 0
    for (const room of rooms.values()) {
      for (const nodeId of room.claims) byNode.set(nodeId, [...(byNode.get(nodeId) ?? []), room.sessionId])
      if (room.nodeId === null) continue
      if (nodes.isDraining(room.nodeId) && drained < DRAINED_AT_ONCE) {
        drained += 1
        void routes.drain(room)
      }
      if (room.isUncertain)
        this.reconcile(room).catch(error => log.debug({ err: error }, 'a room could not be reconciled yet'))
    }
    for (const [nodeId, sessionIds] of byNode) void this.#keep(nodeId, sessionIds)
  }

  /** Reports the rooms to their node, which would close them otherwise. */
  async #keep(nodeId: string, sessionIds: number[]): Promise<void> {
    const { nodes, rooms, routes } = this.#parts
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
    if (typeof number !== 'number' || !name || !eventNames.includes(name) || !Array.isArray(args)) return
    if (number !== (this.#lastEvents.get(nodeId) ?? 0) + 1) this.#doubt(nodeId)
    this.#lastEvents.set(nodeId, number)
    const sessionId = sessionIdIn(args)
    const room = sessionId === undefined ? undefined : this.#parts.rooms.get(sessionId)
    // Former nodes still report what happens in the rooms that they are about to close.
    if (room?.nodeId === nodeId) this.#emit(room, name, args)
  }

  #emit(room: RemoteRoom, name: SfuEventName, args: unknown[]): void {
    room.apply(name, args)
    const handlers = this.#parts.events as unknown as Record<SfuEventName, (...args: unknown[]) => void>
    handlers[name](...args)
  }

  /** Events of the node were lost, or messages to it. */
  #doubt(nodeId: string): void {
    for (const room of this.#parts.rooms.values()) if (room.nodeId === nodeId) room.isUncertain = true
  }

  #onGone(nodeId: string): void {
    this.#lastEvents.delete(nodeId)
    const { rooms, routes, log } = this.#parts
    const lost = [...rooms.values()].filter(({ claims }) => claims.has(nodeId))
    if (lost.length > 0)
      log.warn({ node: nodeId, sessions: lost.length }, 'a media node is gone; its sessions move')
    for (const room of lost) routes.lost(room, nodeId)
  }
}
