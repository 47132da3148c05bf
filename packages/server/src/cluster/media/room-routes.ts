import { backoffMs, interruptibleSleep } from '@lectern/common'
import { Refusal } from '@lectern/protocol'
import type { Logger } from 'pino'
import type { MovedRoute, SfuEvents } from '../../media/ports.ts'
import type { RemoteRoom } from './remote-room.ts'
import type { RoomPlacement } from './room-placement.ts'
import type { SharedPublications } from './shared-publications.ts'

interface RoomRoutesParts {
  placement: RoomPlacement
  shared: SharedPublications
  events: SfuEvents
  log: Logger
}

const RETRY = { firstMs: 200, maxMs: 2_000 }
/** Long enough for clients to have moved, slow ones included. */
const LINGER_MS = 5_000

/** Moves participants to other media nodes when theirs is gone or drains, and reports that to clients. */
export class RoomRoutes {
  readonly #parts: RoomRoutesParts
  readonly #stopping = new AbortController()

  constructor(parts: RoomRoutesParts) {
    this.#parts = parts
  }

  /** The node has lost the room: its participants, if it had any, get other nodes. */
  lost(room: RemoteRoom, nodeId: string): void {
    const { placement, shared } = this.#parts
    room.claims.delete(nodeId)
    if (room.isClosed || !room.nodes.has(nodeId)) return
    const hasDisplaced = room.removeNode(nodeId)
    placement.lead(room)
    shared.share(room)
    if (!hasDisplaced) return
    room.isDisplaced = true
    void this.#settle(room)
  }

  /** Nobody is on the node any more. The last node of a session stays. */
  leave(room: RemoteRoom, nodeId: string): void {
    const { placement, shared } = this.#parts
    if (room.nodes.size < 2 || !room.nodes.has(nodeId) || room.membersOn(nodeId).length > 0) return
    if (room.isMoving || room.placing) return
    const [first] = room.nodes.keys()
    room.removeNode(nodeId)
    placement.close(room, nodeId)
    if (first === nodeId) placement.lead(room)
    shared.share(room)
  }

  /** Moves participants away from a node that still serves them, once their next ones are ready. */
  async drain(room: RemoteRoom, nodeId: string): Promise<void> {
    const { log, placement } = this.#parts
    if (room.isMoving || room.placing || room.isClosed || !room.nodes.has(nodeId)) return
    if (room.membersOn(nodeId).length === 0) {
      room.removeNode(nodeId)
      placement.lead(room)
      return placement.close(room, nodeId)
    }
    room.isMoving = true
    try {
      await this.#moveFrom(room, nodeId)
    } catch (error) {
      log.info({ err: error, ...logFields(room), node: nodeId }, 'participants could not move yet')
    } finally {
      room.isMoving = false
      if (room.isDisplaced) void this.#settle(room)
    }
  }

  /** A worker of one node has died. Its event is for clients on all nodes. */
  workerDied(room: RemoteRoom, nodeId: string, route: MovedRoute): void {
    room.nodes.get(nodeId)?.setRoute(route)
    if (room.nodes.size > 1) this.#announce(room)
    else {
      room.raise(route.routeGeneration)
      this.#parts.events.moved(room.sessionId, route)
    }
  }

  stop(): void {
    this.#stopping.abort()
  }

  /** Tries until all participants have nodes and know of it, or the room is closed. */
  async #settle(room: RemoteRoom): Promise<void> {
    if (room.isMoving) return
    room.isMoving = true
    const { log, placement } = this.#parts
    const { signal } = this.#stopping
    for (let failures = 0; room.isDisplaced && !room.isClosed && !signal.aborted; failures++) {
      try {
        for (const id of room.membersOn(null)) if (room.members.has(id)) await placement.place(room, id)
        const unknown = [...room.nodes.values()].filter(({ workerIds }) => workerIds.size === 0)
        for (const { nodeId } of unknown) await this.#openRoute(room, nodeId)
        if (room.membersOn(null).length > 0 || room.isClosed) continue
        room.isDisplaced = false
        if (room.members.size > 0) this.#announce(room)
      } catch (error) {
        if (failures === 0) log.warn({ err: error, ...logFields(room) }, 'a session waits for a media node')
        await interruptibleSleep(backoffMs(failures, RETRY), signal)
      }
    }
    room.isMoving = false
  }

  async #openRoute(room: RemoteRoom, nodeId: string): Promise<void> {
    try {
      await this.#parts.placement.openRoute(room, nodeId)
    } catch (error) {
      if (error instanceof Refusal && error.code === 'media_gone') this.lost(room, nodeId)
      throw error
    }
  }

  async #moveFrom(room: RemoteRoom, from: string): Promise<void> {
    const { placement, shared } = this.#parts
    const except = new Set([from])
    const targets = new Map<string, string[]>()
    for (const id of room.membersOn(from)) {
      const { nodeId } = await placement.find(room, { except })
      targets.set(nodeId, [...(targets.get(nodeId) ?? []), id])
    }
    for (const nodeId of targets.keys()) await this.#openRoute(room, nodeId)
    if (room.isClosed || !room.nodes.has(from)) return
    const [first, ...others] = [...targets.keys()].filter(id => room.nodes.has(id))
    if (first === undefined) throw new Refusal('media_no_worker')
    room.nodes.delete(from)
    for (const nodeId of others) placement.settle(room, stillOn(room, from, targets.get(nodeId)), nodeId)
    // Those who joined meanwhile, too.
    placement.settle(room, room.membersOn(from), first)
    placement.lead(room)
    shared.share(room)
    this.#announce(room)
    void this.#closeLater(room, from)
  }

  /** Until then the former node still serves those who have not moved, and sends to the others what they published. */
  async #closeLater(room: RemoteRoom, nodeId: string): Promise<void> {
    await interruptibleSleep(LINGER_MS, this.#stopping.signal)
    if (room.isClosed || room.nodes.has(nodeId) || !room.claims.has(nodeId)) return
    room.dropTracks(nodeId)
    this.#parts.placement.close(room, nodeId)
    this.#parts.shared.share(room)
  }

  #announce(room: RemoteRoom): void {
    const { events, log, placement } = this.#parts
    room.nextGeneration()
    placement.raiseGeneration(room)
    const { sessionId, workerIds, generation: routeGeneration } = room
    const [workerId] = workerIds
    if (workerId === undefined) return
    log.info(
      { ...logFields(room), nodes: [...room.nodes.keys()] },
      'participants of a session move to other media workers',
    )
    // Endpoints on live workers stay valid in every generation.
    events.moved(sessionId, { workerId, routeGeneration, workerIds })
  }
}

const logFields = ({ sessionId }: RemoteRoom) => ({ conference_session_id: sessionId })

const stillOn = (room: RemoteRoom, nodeId: string, participantIds: string[] = []): string[] =>
  participantIds.filter(id => room.members.get(id)?.nodeId === nodeId)
