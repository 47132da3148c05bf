import { monitorEventLoopDelay } from 'node:perf_hooks'
import { SAMPLE_INTERVAL_MS, SAMPLE_RETENTION_MS } from '@lectern/protocol'
import type { MediaTraffic } from '../../media/ports.ts'
import type { Clock } from '../../platform/clock.ts'
import type { SampleStore } from '../stores/samples.ts'
import type { Sample } from './ports.ts'

interface SamplerOptions {
  /** The name of this server; empty if it is the only one. */
  server: string
  store: SampleStore
  clock: Clock
  sessions: { readonly size: { sessions: number; participants: number } }
  connections: () => number
  jobs: { countUnfinished(): Promise<{ queued: number; leased: number }> }
  requests: { readonly requests: number; readonly failures: number }
  media: {
    measureTraffic(): Promise<MediaTraffic>
    /** Milliseconds, by worker. */
    readProcessorTimes(): Promise<Map<string, number>>
  }
}

interface Counters {
  atMs: number
  processorMs: number
  mediaProcessorMs: Map<string, number>
  requests: number
  failures: number
}

const DELAY_RESOLUTION_MS = 20
const NS_PER_MS = 1e6

/** Stores the state of the server once a minute, for the charts of the last day. */
export class Sampler {
  readonly #parts: SamplerOptions
  readonly #delay: ReturnType<typeof monitorEventLoopDelay>
  #last: Counters
  #traffic: MediaTraffic | null = null

  constructor(parts: SamplerOptions) {
    this.#parts = parts
    this.#delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS })
    this.#delay.enable()
    this.#last = { ...this.#ownCounters(), mediaProcessorMs: new Map() }
  }

  /** Call it once a minute. */
  async sample(): Promise<void> {
    const { store, clock, sessions, connections, jobs, media } = this.#parts
    const traffic = await media.measureTraffic()
    this.#traffic = traffic
    const before = this.#last
    const now = { ...this.#ownCounters(), mediaProcessorMs: await media.readProcessorTimes() }
    this.#last = now
    const elapsedMs = Math.max(1, now.atMs - before.atMs)
    const nowMs = clock()
    const { queued, leased } = await jobs.countUnfinished()
    const hasMedia = traffic.packetLoss !== null
    const sample: Sample = {
      at_ms: Math.floor(nowMs / SAMPLE_INTERVAL_MS) * SAMPLE_INTERVAL_MS,
      sessions: sessions.size.sessions,
      participants: sessions.size.participants,
      connections: connections(),
      cpu_percent: percent(now.processorMs - before.processorMs, elapsedMs),
      media_cpu_percent: percent(growth(before.mediaProcessorMs, now.mediaProcessorMs), elapsedMs),
      memory_bytes: process.memoryUsage.rss(),
      event_loop_delay_ms: this.#readDelay(),
      requests: now.requests - before.requests,
      request_failures: now.failures - before.failures,
      jobs: queued + leased,
      incoming_bps: Math.round(traffic.incomingBps),
      outgoing_bps: Math.round(traffic.outgoingBps),
      packet_loss_percent: hasMedia ? rounded((traffic.packetLoss ?? 0) * 100) : null,
    }
    await store.add(this.#parts.server, sample, nowMs - SAMPLE_RETENTION_MS)
  }

  /** The traffic at the last sample; null before the first one. */
  get traffic(): MediaTraffic | null {
    return this.#traffic
  }

  /** The samples of the last day of each server, oldest first. */
  list(): Promise<Map<string, Sample[]>> {
    return this.#parts.store.list(this.#parts.clock() - SAMPLE_RETENTION_MS)
  }

  stop(): void {
    this.#delay.disable()
  }

  #ownCounters() {
    const { user, system } = process.cpuUsage()
    const { requests, failures } = this.#parts.requests
    return { atMs: performance.now(), processorMs: (user + system) / 1000, requests, failures }
  }

  /** The histogram contains the interval between two measurements itself. */
  #readDelay(): number {
    const delayMs = this.#delay.percentile(99) / NS_PER_MS - DELAY_RESOLUTION_MS
    this.#delay.reset()
    return rounded(Math.max(0, delayMs))
  }
}

const rounded = (value: number) => Math.round(value * 10) / 10
const percent = (usedMs: number, elapsedMs: number) => rounded((100 * Math.max(0, usedMs)) / elapsedMs)

/** A worker that is new since the last sample has used its time since then. */
const growth = (before: Map<string, number>, now: Map<string, number>) =>
  [...now].reduce((sum, [id, usedMs]) => sum + usedMs - (before.get(id) ?? 0), 0)
