import { backoffMs, interruptibleSleep } from '@lectern/common'
import { Refusal } from '@lectern/protocol'
import type { Logger } from 'pino'
import type { RouteDescription, SfuEvents } from '../../media/ports.ts'
import { NetworkError } from '../network-error.ts'
import type { MediaNodes } from './media-nodes.ts'
import type { RemoteRoom } from './remote-room.ts'

interface Parts {
  nodes: MediaNodes
  events: SfuEvents
  log: Logger
}

/** Clients give up after about this time and try again. */
const PLACEMENT_TIMEOUT_MS = 5_000
const RETRY = { firstMs: 200, maxMs: 2_000 }
/** Long enough for clients to have moved, slow ones included. */
const LINGER_MS = 5_000

/** Places rooms on media nodes, and moves them when a node is gone or drains. */
export class RoomRoutes {
  readonly #parts: Parts
  readonly #stopping = new AbortController()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The node of the room, chosen now if it has none. Rejects with `media_no_worker` when there is none. */
  place(room: RemoteRoom): Promise<string> {
    room.placing ??= this.#place(room).finally(() => {
      room.placing = null
    })
    return room.placing
  }

  /** The node has lost the room: it is opened on another one, if anybody has an endpoint. */
  lost(room: RemoteRoom, nodeId: string): void {
    room.claims.delete(nodeId)
    if (room.nodeId !== nodeId || room.isClosed) return
    room.nodeId = null
    if (room.members.size > 0) void this.#settle(room)
  }

  /** Moves the room away from a node that still serves it, once its next route is ready. */
  async drain(room: RemoteRoom): Promise<void> {
    const { log } = this.#parts
    const from = room.nodeId
    if (from === null || room.isMoving || room.placing || room.isClosed) return
    if (room.members.size === 0) {
      room.nodeId = null
      return this.close(room, from)
    }
    room.isMoving = true
    try {
      await this.#moveFrom(room, from)
    } catch (error) {
      log.info({ err: error, sessionId: room.sessionId, node: from }, 'a session could not move yet')
    } finally {
      room.isMoving = false
      if (room.nodeId === null && !room.isClosed) void this.#settle(room)
    }
  }

  /** Closes the room on one node. If that is lost, the node closes it when the room is not reported any more. */
  close(room: RemoteRoom, nodeId: string): void {
    room.claims.delete(nodeId)
    const args = [room.sessionId]
    this.#parts.nodes
      .request(nodeId, 'call', { method: 'closeRoom', incarnation: room.incarnation, args })
      .catch(() => {})
  }

  /** Lets the node await what is published by now. */
  update(room: RemoteRoom, nodeId: string): void {
    this.#open(room, nodeId).catch(() => {
      room.isUncertain = true
    })
  }

  stop(): void {
    this.#stopping.abort()
  }

  async #place(room: RemoteRoom): Promise<string> {
    const nodeId = await this.#openOn(room, new Set())
    room.nodeId = nodeId
    return nodeId
  }

  /** Opens the room on the best node, except some. */
  async #openOn(room: RemoteRoom, except: ReadonlySet<string>): Promise<string> {
    const { nodes, log } = this.#parts
    const tried = new Set(except)
    const deadlineMs = performance.now() + PLACEMENT_TIMEOUT_MS
    for (;;) {
      const nodeId = await nodes.choose(tried, deadlineMs)
      assertOpen(room)
      room.claims.add(nodeId)
      const outcome = await this.#open(room, nodeId).catch(error => {
        room.claims.delete(nodeId)
        if (error instanceof NetworkError && error.failure !== 'disconnected') return 'failed' as const
        throw error
      })
      if (outcome === 'open' && !room.isClosed) return nodeId
      this.close(room, nodeId)
      assertOpen(room)
      if (outcome === 'superseded') throw new Refusal('media_no_session')
      log.debug({ node: nodeId, outcome }, 'a media node did not take a session')
      tried.add(nodeId)
    }
  }

  async #open(room: RemoteRoom, nodeId: string): Promise<'open' | 'full' | 'superseded'> {
    const { nodes } = this.#parts
    const answers = await Promise.all(room.openings().map(opening => nodes.request(nodeId, 'open', opening)))
    return answers.find(({ is }) => is !== 'open')?.is ?? 'open'
  }

  async #openRoute(room: RemoteRoom, nodeId: string): Promise<RouteDescription> {
    const { incarnation, sessionId } = room
    const call = { method: 'openRoute' as const, incarnation, args: [sessionId] }
    const answer = await this.#parts.nodes.request(nodeId, 'call', call)
    if (answer.is === 'done') return answer.value as RouteDescription
    if (answer.is === 'unknown_room') this.lost(room, nodeId)
    throw new Refusal('media_gone')
  }

  /** Tries until the room has a route, nobody needs one, or the room is closed. */
  async #settle(room: RemoteRoom): Promise<void> {
    if (room.isMoving) return
    room.isMoving = true
    const { signal } = this.#stopping
    for (let failures = 0; !room.isClosed && room.members.size > 0 && !signal.aborted; failures++) {
      try {
        const nodeId = room.nodeId ?? (await this.place(room))
        const route = await this.#openRoute(room, nodeId)
        if (room.nodeId === nodeId) {
          this.#announce(room, nodeId, route)
          break
        }
      } catch (error) {
        if (failures === 0)
          this.#parts.log.warn({ err: error, sessionId: room.sessionId }, 'a session waits for a media node')
        await interruptibleSleep(backoffMs(failures, RETRY), signal)
      }
    }
    room.isMoving = false
  }

  async #moveFrom(room: RemoteRoom, from: string): Promise<void> {
    const to = await this.#openOn(room, new Set([from]))
    let route: RouteDescription | null = null
    try {
      route = await this.#openRoute(room, to)
    } finally {
      if (!route || room.isClosed || room.nodeId !== from) this.close(room, to)
    }
    if (room.isClosed || room.nodeId !== from) return
    room.nodeId = to
    // What has changed on the former node meanwhile.
    this.update(room, to)
    this.#announce(room, to, route)
    void this.#closeLater(room, from)
  }

  /** Until then the former node still serves those who have not moved. */
  async #closeLater(room: RemoteRoom, nodeId: string): Promise<void> {
    await interruptibleSleep(LINGER_MS, this.#stopping.signal)
    if (room.nodeId !== nodeId && room.claims.has(nodeId)) this.close(room, nodeId)
  }

  #announce(room: RemoteRoom, nodeId: string, route: RouteDescription): void {
    const { events, log } = this.#parts
    room.setRoute(route)
    log.info(
      { sessionId: room.sessionId, node: nodeId, rtcNodeId: route.nodeId },
      'a session moved to another media node',
    )
    events.moved(room.sessionId, route)
  }
}

function assertOpen(room: RemoteRoom): void {
  if (room.isClosed) throw new Refusal('media_gone')
}
