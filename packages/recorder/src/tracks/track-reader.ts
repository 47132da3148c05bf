import type { RtpPacket } from '@lectern/worker-kit'
import { JournalReader } from '../capture/journal-reader.ts'
import type { TrackHead, TrackRecord } from '../capture/records.ts'
import { LOOKAHEAD_MS, TrackClock } from '../clock/track-clock.ts'
import { type OrderedPacket, Reorder } from '../frames/reorder.ts'
import { AudioTrack } from './audio-track.ts'
import { GAP_MS, TrackStats } from './track-stats.ts'
import { VideoTrack } from './video-track.ts'

/** A packet is final this long after its arrival; later ones are dropped. */
export const SETTLED_MS = LOOKAHEAD_MS

/** Enough for the head of a track, and little for the packets after it. */
const HEAD_BYTES = 4 * 1024

/** A packet may have arrived before its track was opened, but never this long before. */
const EARLY_MS = 60_000

/** How long the last frame of a track without a recorded end is shown. */
const LAST_FRAME_MS = 1000

/**
 * Reads the journal of one track and determines what was sent when. Deterministic: the result does not depend on the step
 * size or on the process.
 */
export class TrackReader {
  readonly #journal: JournalReader
  readonly #clock: TrackClock
  readonly #reorder = new Reorder()
  #unread: TrackRecord[] = []
  #settledMs = 0
  #isComplete = false
  readonly stats: TrackStats
  readonly media: AudioTrack | VideoTrack

  readonly head: TrackHead
  readonly beganAtMs: number

  private constructor(journal: JournalReader, head: TrackHead, beganAtMs: number) {
    this.head = head
    this.beganAtMs = beganAtMs
    this.#journal = journal
    this.#clock = new TrackClock(head.codec.clockRate)
    this.stats = new TrackStats(GAP_MS[head.kind])
    this.media = head.kind === 'audio' ? new AudioTrack(this.stats) : new VideoTrack(head, this.stats)
  }

  /** Null until the first block is written. Packets are read by advance(): while composition is behind, many tracks wait. */
  static async open(file: string): Promise<TrackReader | null> {
    const [begin] = await new JournalReader(file).read(HEAD_BYTES)
    if (begin?.is !== 'begin') return null
    return new TrackReader(new JournalReader(file), begin.head, begin.atMs)
  }

  /**
   * Reads on. Everything that arrived by then must be in the journal; whatever was sent SETTLED_MS earlier becomes final.
   * A journal that is no longer open has ended, even without a record of it.
   */
  async advance(knownUntilMs: number, isOpen: boolean): Promise<void> {
    if (this.#isComplete || knownUntilMs < this.beganAtMs - EARLY_MS) return
    while (this.#takeUntil(knownUntilMs)) {
      this.#unread = await this.#journal.read()
      if (this.#unread.length > 0) continue
      if (isOpen) break
      this.#settle(Number.POSITIVE_INFINITY)
      this.media.ended((this.stats.lastMs ?? this.beganAtMs) + LAST_FRAME_MS)
      return this.#complete()
    }
    this.#settle(knownUntilMs - SETTLED_MS)
    this.media.knownUntil(knownUntilMs - SETTLED_MS)
  }

  get losses() {
    const { lost, late, repeated } = this.#reorder
    return { lost, late, repeated, leaps: this.#clock.leaps, driftMs: this.#clock.driftMs }
  }

  #complete(): void {
    this.#isComplete = true
    this.#clock.close()
    this.media.close()
  }

  /** Whether everything read was consumed. */
  #takeUntil(knownUntilMs: number): boolean {
    const further = this.#unread.findIndex(({ is, atMs }) => is !== 'begin' && atMs > knownUntilMs)
    const taken = further < 0 ? this.#unread : this.#unread.slice(0, further)
    this.#unread = further < 0 ? [] : this.#unread.slice(further)
    for (const record of taken) this.#take(record)
    return further < 0
  }

  #take(record: TrackRecord) {
    switch (record.is) {
      case 'packet': {
        this.stats.packets += 1
        this.stats.bytes += record.rtp.length
        const packet = this.#reorder.add(record.rtp, record.atMs)
        if (packet) this.#clock.observe(packet.timestamp, record.atMs)
        if (record.atMs - this.#settledMs > SETTLED_MS + 500) this.#settle(record.atMs - SETTLED_MS)
        return
      }
      case 'report':
        this.stats.reports += 1
        return this.#clock.observe(record.rtpTimestamp, record.sentAtMs)
      case 'paused':
        this.#settle(record.atMs)
        return this.media.paused(record.isPaused, record.atMs)
      case 'ended':
        this.#settle(record.atMs)
        return this.media.ended(record.atMs)
      case 'unwritten':
        this.stats.unwritten += record.packets
        return
      case 'begin':
        return
    }
  }

  #settle(untilMs: number) {
    this.#settledMs = untilMs
    for (const each of this.#reorder.take(untilMs)) this.#process(each)
  }

  #process({ packet, arrivedAtMs, lostBefore }: OrderedPacket) {
    if (!this.#isOurs(packet)) {
      this.stats.unknown += 1
      return
    }
    const timeOf = (timestamp: number) => this.#clock.sentAtMs(timestamp, arrivedAtMs)
    this.media.packet(packet, arrivedAtMs, lostBefore > 0, timeOf)
  }

  #isOurs({ payloadType }: RtpPacket) {
    return payloadType === this.head.codec.payloadType
  }
}
