import { type Lifetime, Observable } from '@lectern/common'
import type { IncomingSignal, Readable } from '@lectern/control-client'
import type { Control } from '../ports.ts'
import type { MediaState } from './media-connection.ts'
import { Settling } from './settling.ts'
import { summarise, type TransportStatistics } from './transport-statistics.ts'

/** The part of the others' videos that a slow connection leaves. */
export type Received =
  | 'all'
  | 'reduced' // all of them, some in lower quality
  | 'some'
  | 'screen' // no camera
  | 'audio' // no video at all

/** The effect of the own connection on the quality of the call. */
export interface NetworkState {
  received: Received
  /** Too little can be sent for the own video. */
  sendsTooSlowly: boolean
  losesPackets: boolean
  /** Audio has stopped for a moment just now. */
  wasInterrupted: boolean
}

type Level = 'full' | 'reduced' | 'partial' | 'none' | null

/** The body of the signal `media.reception`. */
interface Reception {
  camera: Level
  screen: Level
}

type SentVideo = TransportStatistics['videos'][number]

const POLL_MS = 2_000
/** Below it, a camera is sent in its lowest quality. */
const SLOW_BPS = 160_000
/** Between the two bounds nothing changes, so that the page does not waver. */
const ENOUGH_BPS = 240_000
/** A video that sends this share of what it may would send more. */
const USED_MIN = 0.6
/** Opus conceals less than that. */
const LOSS_MAX = 0.03
/** A second of speech; the share among fewer packets is accidental. */
const PACKETS_MIN = 50
/** While nobody speaks, what was lost before says nothing of the connection. */
const QUIET_POLLS_MAX = 8
/** The weight of a new measurement of losses. */
const SMOOTHING = 0.4

/** Long enough to be read. */
const EXPLAINED_FOR_MS = 8_000

interface NetworkQualityOptions {
  control: Pick<Control, 'onSignal'>
  media: Readable<MediaState>
  /** Whether audio has stopped. */
  isStalled: Readable<boolean>
  /** Whether any video is sent: without it, browsers do not measure what could be sent. */
  sendsVideo: () => boolean
}

/**
 * Measures the connection between this page and the server. Every change has to last before it is published: each call
 * begins with little, and single losses are normal.
 */
export class NetworkQuality extends Observable<NetworkState> {
  readonly #parts: NetworkQualityOptions
  readonly #received = new Settling<Received>('all', value => (value === 'reduced' ? 8_000 : 3_000))
  readonly #sendsTooSlowly = new Settling<boolean>(false, () => 5_000)
  readonly #losesPackets = new Settling<boolean>(false, () => 5_000)
  /** By the server; it repeats them while there is a limit. */
  #reception: Received = 'all'
  #receptionEndsAtMs = 0
  #videosBefore: TransportStatistics['videos'] = []
  /** The statistics since which losses are measured. */
  #before: TransportStatistics | null = null
  /** Those since then in which too little was received to measure losses. */
  #quietPolls = 0
  #interruptionEndsAtMs = 0
  #receivedLoss = 0
  #sentLoss = 0

  constructor(parts: NetworkQualityOptions, lifetime: Lifetime) {
    super({ received: 'all', sendsTooSlowly: false, losesPackets: false, wasInterrupted: false })
    this.#parts = parts
    lifetime.defer(parts.control.onSignal(signal => this.#onSignal(signal)))
    lifetime.defer(
      parts.media.subscribe(() => {
        this.#before = null
        this.#receivedLoss = this.#sentLoss = 0
      }),
    )
    lifetime.defer(parts.isStalled.subscribe(() => this.#onStall()))
    const timer = setInterval(() => void this.#poll(), POLL_MS)
    lifetime.defer(() => clearInterval(timer))
  }

  /** Published at once: it explains what has just been noticed. */
  #onStall(): void {
    const isStalled = this.#parts.isStalled.get()
    this.#interruptionEndsAtMs = isStalled ? Number.POSITIVE_INFINITY : performance.now() + EXPLAINED_FOR_MS
    if (isStalled) this.set({ ...this.get(), wasInterrupted: true })
  }

  #onSignal({ name, body, ttlMs }: IncomingSignal): void {
    if (name !== 'media.reception') return
    this.#reception = receivedOf(body as unknown as Reception)
    this.#receptionEndsAtMs = performance.now() + ttlMs
  }

  async #poll(): Promise<void> {
    const media = this.#parts.media.get()
    const stats = media.is === 'open' ? await media.endpoint.getStats().catch(() => null) : null
    const statistics = stats && summarise(stats)
    const nowMs = performance.now()
    const reception = nowMs < this.#receptionEndsAtMs ? this.#reception : 'all'
    this.set({
      received: this.#received.next(reception, nowMs),
      sendsTooSlowly: this.#sendsTooSlowly.next(this.#isSlow(statistics), nowMs),
      losesPackets: this.#losesPackets.next(this.#isLossy(statistics), nowMs),
      wasInterrupted: nowMs < this.#interruptionEndsAtMs,
    })
  }

  /**
   * The estimate alone proves nothing: it falls to what is being sent when packets are late for a moment, and a picture in
   * which nothing moves takes little.
   */
  #isSlow(now: TransportStatistics | null): boolean {
    const before = this.#videosBefore
    this.#videosBefore = now?.videos ?? []
    if (!now || now.sendableBps === null || !this.#parts.sendsVideo()) return false
    if (this.get().sendsTooSlowly) return now.sendableBps < ENOUGH_BPS
    return now.sendableBps < SLOW_BPS && now.videos.some(video => usesItsTarget(video, before))
  }

  #isLossy(now: TransportStatistics | null): boolean {
    if (!now) return false
    this.#sentLoss = smoothed(this.#sentLoss, now.sentLoss)
    const { lost, expected } = audioBetween(this.#before, now)
    if (expected >= PACKETS_MIN) {
      this.#receivedLoss = smoothed(this.#receivedLoss, lost / expected)
      this.#measureFrom(now)
    } else if (++this.#quietPolls >= QUIET_POLLS_MAX) {
      this.#receivedLoss = 0
      this.#measureFrom(now)
    }
    return Math.max(this.#receivedLoss, this.#sentLoss) > LOSS_MAX
  }

  #measureFrom(now: TransportStatistics): void {
    this.#before = now
    this.#quietPolls = 0
  }

  protected override set(state: NetworkState): void {
    const before = this.get()
    const isSame =
      before.received === state.received &&
      before.sendsTooSlowly === state.sendsTooSlowly &&
      before.losesPackets === state.losesPackets &&
      before.wasInterrupted === state.wasInterrupted
    if (!isSame) super.set(state)
  }
}

function usesItsTarget(now: SentVideo, before: SentVideo[]): boolean {
  const first = before.find(({ id }) => id === now.id)
  if (!first || now.atMs <= first.atMs) return false
  const bps = ((now.bytes - first.bytes) * 8_000) / (now.atMs - first.atMs)
  return bps >= USED_MIN * now.targetBps
}

/** Expected and lost packets of each track: sums would fall with the tracks of somebody who leaves. */
function audioBetween(before: TransportStatistics | null, now: TransportStatistics) {
  const known = new Map(before?.audio.map(each => [each.id, each]))
  let [lost, expected] = [0, 0]
  for (const { id, ...track } of now.audio) {
    const lostSince = Math.max(0, track.lost - (known.get(id)?.lost ?? 0))
    lost += lostSince
    expected += Math.max(0, track.received - (known.get(id)?.received ?? 0)) + lostSince
  }
  return { lost, expected }
}

const smoothed = (before: number, now: number) => before + SMOOTHING * (now - before)

function receivedOf({ camera, screen }: Reception): Received {
  const hasCamera = camera === 'full' || camera === 'reduced'
  const hasScreen = screen === 'full' || screen === 'reduced'
  if (camera === 'partial' || screen === 'partial') return 'some'
  if (camera === 'none') return hasScreen ? 'screen' : 'audio'
  if (screen === 'none') return hasCamera ? 'some' : 'audio'
  return camera === 'reduced' || screen === 'reduced' ? 'reduced' : 'all'
}
