import type { RtpPacket } from '@lectern/worker-kit'
import { opusSamples, SAMPLE_RATE } from '../frames/opus.ts'
import { AudioPlacer } from './audio-placer.ts'
import type { TrackStats } from './track-stats.ts'
import { VoiceSpans } from './voice-spans.ts'

/** An Opus packet with its position. */
export interface PlacedAudio {
  data: Buffer
  /** Position in samples of 48 kHz since 1970. */
  start: number
  samples: number
}

/** Shorter packets are DTX or comfort noise of a muted microphone. */
const VOICED_BYTES = 20

/** Audio of a track that was read and not yet released. */
export class AudioTrack {
  readonly kind = 'audio'
  readonly #placer = new AudioPlacer()
  packets: PlacedAudio[] = []
  /** When the track last contained speech. */
  voicedAtMs: number | null = null
  readonly voice = new VoiceSpans()

  readonly #stats: TrackStats

  constructor(stats: TrackStats) {
    this.#stats = stats
  }

  packet(
    packet: RtpPacket,
    _arrivedAtMs: number,
    _followsLoss: boolean,
    timeOf: (timestamp: number) => number,
  ) {
    const samples = opusSamples(packet.payload)
    if (samples === 0) return
    const sentAtMs = timeOf(packet.timestamp)
    const start = this.#placer.place(sentAtMs, samples)
    if (start === null) {
      this.#stats.misplaced += 1
      return
    }
    this.#stats.frames += 1
    const durationMs = (samples * 1000) / SAMPLE_RATE
    this.#stats.onMedia(sentAtMs, durationMs)
    if (packet.payload.length > VOICED_BYTES) {
      this.voicedAtMs = sentAtMs
      this.voice.add(sentAtMs, sentAtMs + durationMs)
    }
    this.packets.push({ data: packet.payload, start, samples })
  }

  /** Opus depends on the directly preceding packets only. */
  prune(beforeSample: number) {
    const first = this.packets.findIndex(packet => packet.start + packet.samples > beforeSample)
    this.packets.splice(0, first < 0 ? this.packets.length : first)
  }

  /** Releases everything read so far. */
  take(): PlacedAudio[] {
    return this.packets.splice(0)
  }

  paused() {}
  ended() {}
  close() {}
  knownUntil() {}
}
