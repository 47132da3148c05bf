import type { PayloadTypes } from '@lectern/protocol/control'
import type { Logger } from 'pino'
import type { MediaWorker } from './media-worker.ts'
import { DEFAULT_NUMBERING, numberingOf } from './payload-types.ts'
import { choosePlace, type WorkerLoad } from './placement.ts'
import { assertMedia, MediaRefusal } from './refusals.ts'
import { RoomRouter } from './room-router.ts'
import type { WorkerPool } from './worker-pool.ts'

export interface RouterSetParts {
  workers: WorkerPool
  log: Logger
  consumersPerWorker: number
  /** Publications of the room. */
  countPublications: () => number
  /** Consumers of the room on one of its routers. */
  countConsumers: (roomRouter: RoomRouter) => number
  /** Prepares the first router before it is used; also the next one when the first one is closed. */
  prepareFirst: (roomRouter: RoomRouter) => Promise<void>
  /** The worker died. */
  onDeath: (roomRouter: RoomRouter) => void
}

/** Numberings of payload types besides mediasoup's; each costs a router, and pipes to it. */
export const NUMBERINGS_MAX = 8

interface Placed {
  node: MediaWorker
  /** The numbering of its payload types. */
  numbering: string
  opening: Promise<RoomRouter>
  roomRouter: RoomRouter | null
  /** Endpoints that are open or being opened. */
  occupants: Set<symbol>
}

/** The routers of a room: one, or several on as many workers in a room that one core cannot serve. */
export class RouterSet {
  readonly #parts: RouterSetParts
  /** Oldest first. */
  readonly #placed: Placed[] = []
  #picking: Promise<void> | null = null
  #closed = false

  constructor(parts: RouterSetParts) {
    this.#parts = parts
  }

  /** The workers that serve the room, the first one first. */
  get workerIds(): string[] {
    return [...new Set(this.#placed.map(({ node }) => node.id))]
  }

  find(id: string): RoomRouter | null {
    return this.#placed.find(({ roomRouter }) => roomRouter?.id === id)?.roomRouter ?? null
  }

  /**
   * The router for another endpoint, which occupies it until `leave`. Waits while no worker is alive. Rejects when the
   * room is closed, or when a worker that is alive cannot create a router. With payload types, it is one that has these.
   */
  enter(occupant: symbol, types?: PayloadTypes): Promise<RoomRouter> {
    return this.#open(() => {
      const placed = types ? this.#findOrPlace(types) : this.#choose()
      placed?.occupants.add(occupant)
      return placed
    })
  }

  /** Closes a router that nobody occupies any more, unless it is the only one. Safe to repeat. */
  leave(occupant: symbol): void {
    for (const placed of [...this.#placed]) {
      const isLast = placed.occupants.delete(occupant) && placed.occupants.size === 0
      if (!isLast || this.#placed.length === 1) continue
      this.#remove(placed)
      closeWhenOpen(placed)
    }
  }

  /** The oldest router. If there is none, it is opened on the worker with the lowest load. */
  first(): Promise<RoomRouter> {
    return this.#open(() => this.#placed[0])
  }

  close(): void {
    this.#closed = true
    for (const placed of this.#placed.splice(0)) closeWhenOpen(placed)
  }

  async #open(choose: () => Placed | undefined): Promise<RoomRouter> {
    for (;;) {
      if (this.#closed) throw new MediaRefusal('gone')
      const placed = choose()
      if (!placed) {
        this.#picking ??= this.#pickFirst().finally(() => {
          this.#picking = null
        })
        await this.#picking
        continue
      }
      try {
        return await placed.opening
      } catch (error) {
        // A worker may die while it creates the router; then another one is tried.
        if (!placed.node.worker.closed) throw error
        this.#parts.log.debug(
          { err: error, rtcNodeId: placed.node.id },
          'media worker died while it created a router',
        )
      }
    }
  }

  async #pickFirst(): Promise<void> {
    const node = await this.#parts.workers.pick()
    if (!this.#closed) this.#place(node)
  }

  /** One router for each numbering, beside the room's first one. */
  #findOrPlace(types: PayloadTypes): Placed | undefined {
    const [first] = this.#placed
    if (!first) return undefined
    const numbering = numberingOf(types)
    const found = this.#placed.find(placed => placed.numbering === numbering)
    if (found) return found
    const numberings = new Set(this.#placed.map(placed => placed.numbering))
    numberings.delete(DEFAULT_NUMBERING)
    assertMedia(numberings.size < NUMBERINGS_MAX, 'too_many_numberings')
    return this.#place(first.node, types)
  }

  #choose(): Placed | undefined {
    const [first] = this.#placed
    if (!first) return undefined
    const { workers, consumersPerWorker, countPublications } = this.#parts
    const own = this.#placed
      .filter(({ numbering }) => numbering === DEFAULT_NUMBERING)
      .map(placed => [placed, this.#loadOf(placed)] as [Placed, WorkerLoad])
    if (own.length === 0) return this.#place(first.node)
    const others = workers.alive
      .filter(node => !own.some(([placed]) => placed.node === node))
      .map(
        node =>
          [node, { otherConsumers: node.consumers(), consumers: 0, endpoints: 0 }] as [
            MediaWorker,
            WorkerLoad,
          ],
      )
    const chosen = choosePlace<Placed | MediaWorker>(own, others, countPublications(), { consumersPerWorker })
    return 'occupants' in chosen ? chosen : this.#place(chosen)
  }

  #loadOf({ node, roomRouter, occupants }: Placed): WorkerLoad {
    const consumers = roomRouter ? this.#parts.countConsumers(roomRouter) : 0
    const otherConsumers = Math.max(0, node.consumers() - consumers)
    return { otherConsumers, consumers, endpoints: occupants.size }
  }

  #place(node: MediaWorker, types?: PayloadTypes): Placed {
    const isFirst = this.#placed.length === 0
    const placed: Placed = {
      node,
      numbering: numberingOf(types),
      opening: this.#create(node, isFirst, types),
      roomRouter: null,
      occupants: new Set(),
    }
    this.#placed.push(placed)
    placed.opening.then(
      roomRouter => {
        placed.roomRouter = roomRouter
        const { router } = roomRouter
        if (router.closed) return this.#remove(placed)
        router.once('workerclose', () => {
          // The others on the worker are dead, too, though they report it later: nobody is directed to them. The last one
          // first, so that none of them becomes the first one.
          for (const each of this.#placed.filter(other => other.node === node).reverse()) this.#remove(each)
          this.#parts.onDeath(roomRouter)
        })
      },
      () => this.#remove(placed),
    )
    return placed
  }

  async #create(node: MediaWorker, isFirst: boolean, types?: PayloadTypes): Promise<RoomRouter> {
    const roomRouter = await RoomRouter.create(node, types)
    try {
      if (isFirst) await this.#parts.prepareFirst(roomRouter)
      return roomRouter
    } catch (error) {
      roomRouter.close()
      throw error
    }
  }

  /** Safe to repeat. */
  #remove(placed: Placed): void {
    const index = this.#placed.indexOf(placed)
    if (index === -1) return
    this.#placed.splice(index, 1)
    const [next] = this.#placed
    if (index > 0 || !next) return
    next.opening
      .then(roomRouter => this.#parts.prepareFirst(roomRouter))
      .catch(error => this.#parts.log.debug({ err: error }, 'router is closed'))
  }
}

/** A router that fails to open holds nothing. */
const closeWhenOpen = ({ opening }: Placed) => opening.then(roomRouter => roomRouter.close()).catch(() => {})
