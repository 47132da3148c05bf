import { availableParallelism } from 'node:os'
import { backoffMs, interruptibleSleep } from '@lectern/common'
import type { Logger } from 'pino'
import { isOwnAddress } from '../platform/address.ts'
import { AnnouncedName } from './announced-name.ts'
import { monitorFileDescriptors } from './file-descriptors.ts'
import { kill, type MediaWorker, startMediaWorker } from './media-worker.ts'
import { MediaRefusal } from './refusals.ts'

export interface PoolSettings {
  listenIp: string
  announcedAddress: string
  /**
   * The address of the machine to listen on, in place of a wildcard or beside another one. Networks change: workers that listen
   * on another one are replaced.
   */
  hostAddress?: () => string | null
  /** How often the address of the machine is compared. */
  addressCheckMs?: number
  /** The address at which other hosts reach this one; absent: listenIp. */
  pipeIp?: () => string
  /** Worker i listens on port + i; 0 picks free ports. */
  port: number
  /** 0: one per core. */
  workers: number
  /** Requested from each participant, in bits per second; 0 or absent: no limit. */
  maxIncomingBitrate?: number
}

/** The back-off restarts when a worker has run this long. */
const STABLE_AFTER_MS = 30_000
const BACK_OFF_MS = 100
const BACK_OFF_MAX_MS = 10_000
const ADDRESS_CHECK_MS = 10_000

/** Media workers, which are replaced when they die or hang. */
export class WorkerPool {
  readonly #settings: PoolSettings
  readonly #log: Logger
  readonly #announcedName: AnnouncedName
  readonly #slots: (MediaWorker | null)[]
  readonly #closed = new AbortController()
  readonly #replacements = new Set<Promise<void>>()
  #waiting: (() => void)[] = []
  #addressCheck: NodeJS.Timeout | undefined
  /** Of the machine, at the last check. */
  #lastAddress: string | null = null
  #closing: Promise<void> | undefined

  private constructor(settings: PoolSettings, log: Logger) {
    this.#settings = settings
    this.#log = log
    const { announcedAddress: name, listenIp } = settings
    this.#announcedName = new AnnouncedName({ name, listenIp, log })
    this.#slots = Array.from({ length: settings.workers || availableParallelism() }, () => null)
  }

  /** Rejects when one of the workers does not start. */
  static async start(settings: PoolSettings, log: Logger): Promise<WorkerPool> {
    const pool = new WorkerPool(settings, log)
    const resolved = pool.#announcedName.refresh()
    const starts = await Promise.allSettled(pool.#slots.map((_, index) => pool.#startWorker(index, 0)))
    await resolved
    const failure = starts.find(start => start.status === 'rejected')
    if (!failure) {
      pool.#followAddress()
      return pool
    }
    await pool.close()
    throw failure.reason
  }

  /** How many workers run when none has died. */
  get size(): number {
    return this.#slots.length
  }

  get alive(): MediaWorker[] {
    return this.#slots.filter(slot => slot !== null).filter(({ worker }) => !worker.closed)
  }

  /** The worker with the lowest load. Waits while none is alive. */
  async pick(): Promise<MediaWorker> {
    for (;;) {
      if (this.#closed.signal.aborted) throw new MediaRefusal('no_worker')
      const [first, ...others] = this.alive
      if (first) return others.reduce((least, other) => (other.load() < least.load() ? other : least), first)
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    }
  }

  /** Resolves when all processes have exited. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll()
    return this.#closing
  }

  #followAddress(): void {
    const { hostAddress, addressCheckMs = ADDRESS_CHECK_MS } = this.#settings
    if (!hostAddress) return
    this.#addressCheck = setInterval(() => this.#replaceElsewhere(hostAddress()), addressCheckMs).unref()
  }

  /**
   * Those whose address the machine still has stay, whatever other network came. Without a network, all wait for the next one
   * where they are; an address that was seen once may be of a cable's fault.
   */
  #replaceElsewhere(address: string | null): void {
    const isLasting = address === this.#lastAddress
    this.#lastAddress = address
    if (address === null || !isLasting) return
    const elsewhere = this.alive.filter(
      ({ hostAddress }) => hostAddress !== address && (hostAddress === null || !isOwnAddress(hostAddress)),
    )
    if (elsewhere.length === 0) return
    this.#log.warn({ address }, 'the machine has another address: media workers are replaced')
    for (const { worker } of elsewhere) kill(worker.pid)
  }

  async #closeAll(): Promise<void> {
    this.#closed.abort()
    clearInterval(this.#addressCheck)
    this.#resolveWaiting()
    await Promise.allSettled(this.#replacements)
    await Promise.all(this.alive.map(worker => worker.close()))
  }

  async #startWorker(index: number, failures: number): Promise<void> {
    const {
      listenIp: ip,
      announcedAddress,
      hostAddress,
      pipeIp,
      port,
      maxIncomingBitrate = 0,
    } = this.#settings
    const worker = await startMediaWorker(
      {
        ip,
        announcedAddress,
        announcedName: this.#announcedName,
        hostAddress: hostAddress?.() ?? null,
        pipeIp: pipeIp?.() ?? ip,
        port: port && port + index,
        maxIncomingBitrate,
      },
      pid =>
        this.#log.error({ pid }, 'media worker hangs and is killed: its participants move to another one'),
    )
    const since = performance.now()
    const stopWatching = monitorFileDescriptors(worker.worker.pid, this.#log)
    worker.worker.observer.once('close', stopWatching)
    worker.worker.once('died', error => {
      const wasStable = performance.now() - since > STABLE_AFTER_MS
      this.#log.error(
        { err: error, rtcNodeId: worker.id },
        'media worker died: it is replaced, and its participants move to another one',
      )
      this.#replace(index, wasStable ? 0 : failures + 1)
    })
    this.#slots[index] = worker
    this.#resolveWaiting()
  }

  #replace(index: number, failures: number): void {
    this.#slots[index] = null
    const replacing = this.#startUntilReady(index, failures).finally(() =>
      this.#replacements.delete(replacing),
    )
    this.#replacements.add(replacing)
  }

  /** Starts at once the first time, then with exponential back-off. */
  async #startUntilReady(index: number, failures: number): Promise<void> {
    const { signal } = this.#closed
    for (let failed = failures; !signal.aborted; failed += 1) {
      const delay = failed <= 1 ? 0 : backoffMs(failed - 2, { firstMs: BACK_OFF_MS, maxMs: BACK_OFF_MAX_MS })
      await interruptibleSleep(delay, signal)
      if (signal.aborted) return
      try {
        return await this.#startWorker(index, failed)
      } catch (error) {
        this.#log.error({ err: error }, 'media worker did not start: retried')
      }
    }
  }

  #resolveWaiting(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
