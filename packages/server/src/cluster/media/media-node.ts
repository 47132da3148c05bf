import { sleep } from '@lectern/common'
import { Refusal } from '@lectern/protocol'
import type { Logger } from 'pino'
import type { NodePipes } from '../../media/pipes/node-pipes.ts'
import type { MediaServer, RoomDescription } from '../../media/ports.ts'
import type { Sfu } from '../../media/sfu.ts'
import type { MemberStatus, Members } from '../members/members.ts'
import type { ClusterNetwork, MessageInfo } from '../network/network.ts'
import { NetworkError } from '../network/network-error.ts'
import type { HostedRooms } from './hosted-rooms.ts'
import type { NodeEvents } from './node-events.ts'
import {
  type NodeLoad,
  type NodeRequest,
  type NodeRequestName,
  type NodeRequests,
  nodeSubject,
  type RoomMethod,
  roomMethods,
  sessionIdIn,
} from './protocol.ts'

interface MediaNodeParts {
  nodeId: string
  network: ClusterNetwork
  members: Pick<Members, 'onGone'>
  media: FederatedMedia
  /** Consumers that one worker serves well. */
  consumersPerWorker: number
  rooms: HostedRooms
  events: NodeEvents
  log: Logger
  /** How long a room outlives its owner. */
  graceMs: number
}

/** A media server that other nodes exchange media with. */
type FederatedMedia = MediaServer & Pick<Sfu, 'pipes' | 'addRemotePublication' | 'removeRemotePublication'>

type Handlers = {
  [N in NodeRequestName]: (
    body: NodeRequests[N][0],
    from: string,
  ) => NodeRequests[N][1] | Promise<NodeRequests[N][1]>
}

const ROOMS_MAX = 5_000
const TICK_MS = 1_000
const PROBE_MAX_MS = 60_000
const NOT_MEASURED: NodeLoad = {
  load: 0,
  descriptors: 0,
  workers: 0,
  expectedWorkers: 0,
  capacity: 0,
  rooms: 0,
}

/** A media server for the sessions of other servers. Media continues while they, or NATS, are away. */
export class MediaNode {
  readonly #parts: MediaNodeParts
  readonly #handlers: Handlers
  readonly #closers: (() => void)[]
  #measured = NOT_MEASURED
  #isDraining = false

  constructor(parts: MediaNodeParts) {
    this.#parts = parts
    this.#handlers = this.#createHandlers()
    const { network, members, nodeId, rooms, events } = parts
    const timer = setInterval(() => this.#tick(), TICK_MS)
    this.#closers = [
      () => clearInterval(timer),
      network.serve(nodeSubject(nodeId), (message, about) => this.#handle(message, about)),
      network.onReconnect(() => rooms.keepAll(performance.now())),
      members.onGone(({ id }) => {
        events.forget(id)
        this.#parts.media.pipes?.removeNode(id)
      }),
    ]
  }

  /** Measured about once a second. */
  get load(): NodeLoad {
    return { ...this.#measured, rooms: this.#parts.rooms.size }
  }

  get status(): MemberStatus {
    // A media node has no store of its own, and says nothing about the servers' store.
    return { load: { ...this.load }, draining: this.#isDraining, isStoreReachable: false }
  }

  /** MUST finish before the node is announced. */
  async measure(): Promise<void> {
    const { media, consumersPerWorker } = this.#parts
    const workers = await media.readWorkers()
    const objects = workers.reduce((sum, { load }) => sum + load, 0)
    const ratios = workers.map(({ descriptors }) =>
      descriptors?.limit ? descriptors.open / descriptors.limit : 0,
    )
    const capacity = consumersPerWorker * Math.max(1, workers.length)
    this.#measured = {
      load: objects / capacity,
      capacity,
      descriptors: Math.min(1, Math.max(0, ...ratios)),
      workers: workers.length,
      expectedWorkers: media.expectedWorkers,
      rooms: 0,
    }
  }

  /** Owners move their sessions to other nodes. Resolves when all have moved, or after the timeout. */
  async drain(timeoutMs: number): Promise<void> {
    this.#isDraining = true
    const { rooms, log } = this.#parts
    log.info({ rooms: rooms.size }, 'the media node drains: sessions move to other nodes')
    const deadline = performance.now() + timeoutMs
    while (this.#isDraining && rooms.size > 0 && performance.now() < deadline) await sleep(TICK_MS / 10)
    if (this.#isDraining && rooms.size > 0)
      log.warn(
        { rooms: rooms.size },
        'sessions are left on the media node that drains, because no other node has taken them: its end interrupts their media',
      )
  }

  /** Sessions may come again. */
  undrain(): void {
    if (!this.#isDraining) return
    this.#isDraining = false
    this.#parts.log.info('the media node takes sessions again')
  }

  stop(): void {
    for (const close of this.#closers.splice(0)) close()
  }

  /** Runs to the first await before the next message is handled, so that requests take effect in order. */
  #handle(message: unknown, { from }: MessageInfo): unknown {
    const { name, body } = (message ?? {}) as Partial<NodeRequest>
    if (typeof name !== 'string' || !Object.hasOwn(this.#handlers, name) || typeof body !== 'object')
      throw new NetworkError('unsupported')
    // TypeScript cannot see that the handler and the body belong to the same name.
    return (this.#handlers[name] as (body: unknown, from: string) => unknown)(body, from)
  }

  #createHandlers(): Handlers {
    const { media, rooms, events } = this.#parts
    return {
      open: (opening, from) => {
        if (!rooms.has(opening.sessionId) && (this.#isDraining || rooms.size >= ROOMS_MAX))
          return { is: 'full' }
        const outcome = rooms.open(opening, from, performance.now())
        if (outcome === 'superseded') return { is: 'superseded' }
        if (outcome === 'replaced') media.closeRoom(opening.sessionId)
        media.openRoom(opening)
        return { is: 'open' }
      },
      call: (call, from) => this.#call(call, from),
      reconcile: async (ref, from) => {
        if (rooms.check(ref, from) !== 'owned') return null
        const present = await media.describe(ref.sessionId)
        for (const id of strangersIn(present, new Set(ref.members))) media.closeParticipant(ref.sessionId, id)
        for (const { participantId, source } of ref.mutes) media.mute(ref.sessionId, participantId, source)
        media.repeatOffers(ref.sessionId)
        return media.describe(ref.sessionId)
      },
      remote: (request, from) => this.#setRemote(request, from),
      pipe: (message, from) => {
        if (!media.pipes) throw new NetworkError('unsupported')
        return this.#handlePipe(media.pipes, from, message)
      },
      release: (ref, from) => {
        if (rooms.check(ref, from) === 'owned') rooms.release(ref.sessionId, performance.now())
        return null
      },
      adopt: (ref, from) => {
        if (!rooms.adopt(ref, from, performance.now())) return null
        media.openRoom(ref) // later routes belong to the new incarnation
        return media.describe(ref.sessionId)
      },
      keep: ({ sessionIds }, from) => {
        const { unknown, dropped } = rooms.keep(from, sessionIds, performance.now())
        for (const sessionId of dropped) this.#close(sessionId)
        return { unknown, lastEvent: events.lastFor(from) }
      },
      traffic: ({ sessionIds }) => media.measureTraffic(sessionIds),
      workers: () => media.readWorkers(),
      probe: ({ lifetimeMs }) => media.openProbe(Math.min(lifetimeMs, PROBE_MAX_MS), () => {}),
      ping: () => null,
    }
  }

  async #call(
    { method, incarnation, args }: NodeRequests['call'][0],
    from: string,
  ): Promise<NodeRequests['call'][1]> {
    const { rooms } = this.#parts
    const sessionId = sessionIdIn(args)
    if (sessionId === undefined || !roomMethods.includes(method)) throw new NetworkError('unsupported')
    const check = rooms.check({ sessionId, incarnation }, from)
    if (check !== 'owned') return { is: check }
    if (method === 'closeRoom') rooms.remove(sessionId)
    const media = this.#parts.media as unknown as Record<RoomMethod, (...args: unknown[]) => unknown>
    return { is: 'done', value: (await media[method](...args)) ?? null }
  }

  /** Refused when a router or a producer is gone; then the other node tries again, or the owner drops the publication. */
  async #handlePipe(pipes: NodePipes, from: string, message: unknown): Promise<unknown> {
    try {
      return await pipes.handle(from, message)
    } catch (error) {
      this.#parts.log.debug({ err: error, from }, 'a pipe could not be opened')
      throw new Refusal('media_gone')
    }
  }

  #setRemote({ add, remove, ...ref }: NodeRequests['remote'][0], from: string): NodeRequests['remote'][1] {
    const { media, rooms, log } = this.#parts
    const check = rooms.check(ref, from)
    if (check !== 'owned') return { is: check }
    for (const publicationId of remove) media.removeRemotePublication(ref.sessionId, publicationId)
    for (const remote of add)
      try {
        media.addRemotePublication(ref.sessionId, remote)
      } catch (error) {
        const { publicationId } = remote.publication
        const about = { conference_session_id: ref.sessionId }
        log.warn(
          { err: error, ...about, publicationId },
          'a publication of another media node was not added: participants here do not receive it',
        )
      }
    return { is: 'done' }
  }

  #tick(): void {
    const { network, rooms, graceMs, log } = this.#parts
    const nowMs = performance.now()
    if (!network.isConnected) rooms.keepAll(nowMs)
    for (const sessionId of rooms.silentFor(graceMs, nowMs)) {
      log.warn({ conference_session_id: sessionId }, 'a room is closed: no server has claimed it')
      this.#close(sessionId)
    }
    this.measure().catch(error =>
      log.error(
        { err: error },
        'the load of the media workers could not be measured: servers see the former one',
      ),
    )
  }

  #close(sessionId: number): void {
    this.#parts.rooms.remove(sessionId)
    this.#parts.media.closeRoom(sessionId)
  }
}

/** Participants of whom the owner does not know. */
function strangersIn(room: RoomDescription | null, members: Set<string>): Set<string> {
  const present = [...(room?.members ?? []), ...(room?.publications ?? [])].map(
    ({ participantId }) => participantId,
  )
  return new Set(present.filter(id => !members.has(id)))
}
