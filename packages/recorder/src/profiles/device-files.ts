import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { deviceIdOf } from '@lectern/protocol/control'
import type { TrackHead } from '../capture/records.ts'
import { OpusFile } from '../compose/ogg.ts'
import { SAMPLE_RATE } from '../frames/opus.ts'
import type { Recording } from '../recording.ts'
import type { PlacedAudio } from '../tracks/audio-track.ts'
import { SETTLED_MS, type TrackReader } from '../tracks/track-reader.ts'
import type { ManifestEntry } from './manifest.ts'

/** Length of the part held in memory at once. */
const STEP_MS = 10_000

/** Reads the recording from its start, part by part, and releases each part afterwards. */
export async function readThrough(
  recording: Recording,
  show: (track: TrackReader, file: string) => Promise<void>,
) {
  const { tracks, state } = recording
  const endMs = state.endMs + SETTLED_MS
  for (let untilMs = state.startedAtMs; ; untilMs += STEP_MS) {
    recording.throwIfHandedOver()
    await tracks.advance(untilMs > endMs ? Number.POSITIVE_INFINITY : untilMs)
    for (const [file, track] of tracks.byFile) await show(track, file)
    if (untilMs > endMs) return
  }
}

/** One Ogg file per device, with silence where nothing was sent. */
export class DeviceAudio {
  readonly #files = new Map<string, { ogg: OpusFile; participantId: string; source: string }>()

  readonly #folder: string
  readonly #startedAtMs: number

  constructor(folder: string, startedAtMs: number) {
    this.#folder = folder
    this.#startedAtMs = startedAtMs
  }

  async add(head: TrackHead, packets: PlacedAudio[]) {
    const name = head.source === 'microphone' ? '' : `_${head.source}`
    const path = `tracks/audio/device_${deviceIdOf(head.participantId)}${name}.ogg`
    let file = this.#files.get(path)
    if (!file) {
      await mkdir(dirname(join(this.#folder, path)), { recursive: true })
      file = {
        ogg: new OpusFile(join(this.#folder, path)),
        participantId: head.participantId,
        source: head.source,
      }
      this.#files.set(path, file)
      await file.ogg.open()
    }
    for (const packet of packets) await file.ogg.add(packet)
  }

  async close(): Promise<ManifestEntry[]> {
    const entries: ManifestEntry[] = []
    for (const [path, { ogg, participantId, source }] of this.#files) {
      await ogg.close()
      const offsetMs = Math.round(((ogg.start ?? 0) * 1000) / SAMPLE_RATE - this.#startedAtMs)
      const durationMs = Math.round((ogg.samples * 1000) / SAMPLE_RATE)
      entries.push({
        ...{ kind: 'audio', path, contentType: 'audio/ogg', participantId, source, codec: 'audio/opus' },
        ...{ offsetMs, durationMs },
      })
    }
    return entries
  }
}
