import { availableParallelism } from 'node:os'
import { backoffMs, interruptibleSleep } from '@lectern/common'
import type { Logger } from 'pino'
import { watchDescriptors } from './descriptors.ts'
import { type MediaWorker, startMediaWorker } from './media-worker.ts'
import { MediaRefusal } from './refusals.ts'

export interface PoolSettings {
  listenIp: string
  announcedAddress: string
  /** What each worker listens on as well, asked for at its start: networks change. */
  hostAddress?: () => string | null
  /** Worker i listens on port + i; 0 takes any free ones. */
  port: number
  /** 0 means one for each core. */
  workers: number
  /** What a participant is asked to send at most, in bits per second; 0 and none: as much as they like. */
  maxIncomingBitrate?: number
}

/** A worker that lived this long was not killed by what its predecessor died of. */
const LIVED_WELL_MS = 30_000
const BACK_OFF_MS = 100
const BACK_OFF_MAX_MS = 10_000

/** Media workers that are replaced when they die or hang. */
export class WorkerPool {
  readonly #settings: PoolSettings
  readonly #log: Logger
  readonly #slots: (MediaWorker | null)[]
  readonly #end = new AbortController()
  /** Each replacement that is under way. */
  readonly #replacing = new Set<Promise<void>>()
  #waiting: (() => void)[] = []
  #closing: Promise<void> | undefined

  private constructor(settings: PoolSettings, log: Logger) {
    this.#settings = settings
    this.#log = log
    this.#slots = Array.from({ length: settings.workers || availableParallelism() }, () => null)
  }

  /** Rejects when one of the workers does not start: then something is wrong with the machine. */
  static async start(settings: PoolSettings, log: Logger): Promise<WorkerPool> {
    const pool = new WorkerPool(settings, log)
    const starts = await Promise.allSettled(pool.#slots.map((_, index) => pool.#fill(index, 0)))
    const failure = starts.find(start => start.status === 'rejected')
    if (!failure) return pool
    await pool.close()
    throw failure.reason
  }

  get living(): MediaWorker[] {
    return this.#slots.filter(slot => slot !== null).filter(({ worker }) => !worker.closed)
  }

  /** The worker with the least to do. Waits while none lives. */
  async pick(): Promise<MediaWorker> {
    for (;;) {
      if (this.#end.signal.aborted) throw new MediaRefusal('no_worker')
      const [first, ...others] = this.living
      if (first) return others.reduce((least, other) => (other.load() < least.load() ? other : least), first)
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    }
  }

  /** Resolves when all processes have ended. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll()
    return this.#closing
  }

  async #closeAll(): Promise<void> {
    this.#end.abort()
    this.#wake()
    await Promise.allSettled(this.#replacing)
    await Promise.all(this.living.map(worker => worker.close()))
  }

  async #fill(index: number, failures: number): Promise<void> {
    const { listenIp: ip, announcedAddress, hostAddress, port, maxIncomingBitrate = 0 } = this.#settings
    const worker = await startMediaWorker(
      {
        ip,
        announcedAddress,
        hostAddress: hostAddress?.() ?? null,
        port: port && port + index,
        maxIncomingBitrate,
      },
      pid => this.#log.error({ pid }, 'media worker hangs, and is killed'),
    )
    const since = performance.now()
    const stopWatching = watchDescriptors(worker.worker.pid, this.#log)
    worker.worker.observer.once('close', stopWatching)
    worker.worker.once('died', error => {
      const livedWell = performance.now() - since > LIVED_WELL_MS
      this.#log.error({ err: error, rtcNodeId: worker.id }, 'media worker died')
      this.#replace(index, livedWell ? 0 : failures + 1)
    })
    this.#slots[index] = worker
    this.#wake()
  }

  #replace(index: number, failures: number): void {
    this.#slots[index] = null
    const replacing = this.#keepTrying(index, failures).finally(() => this.#replacing.delete(replacing))
    this.#replacing.add(replacing)
  }

  /** The first try is made at once, later ones wait longer and longer. */
  async #keepTrying(index: number, failures: number): Promise<void> {
    const { signal } = this.#end
    for (let failed = failures; !signal.aborted; failed += 1) {
      const delay = failed <= 1 ? 0 : backoffMs(failed - 2, { firstMs: BACK_OFF_MS, maxMs: BACK_OFF_MAX_MS })
      await interruptibleSleep(delay, signal)
      if (signal.aborted) return
      try {
        return await this.#fill(index, failed)
      } catch (error) {
        this.#log.error({ err: error }, 'media worker did not start')
      }
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
