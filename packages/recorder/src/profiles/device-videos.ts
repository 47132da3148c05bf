import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { deviceIdOf } from '@lectern/protocol/control'
import { ivfFrame, ivfHead } from '../compose/ivf.ts'
import { videoCodec } from '../frames/codecs.ts'
import type { TrackReader } from '../tracks/track-reader.ts'
import type { TimedFrame } from '../tracks/video-track.ts'
import type { ManifestEntry } from './manifest.ts'

interface VideoFile {
  path: string
  handle: FileHandle
  /** Annex B carries no timestamps, so a second file does. */
  times: FileHandle | null
  track: TrackReader
  firstMs: number
  lastMs: number
}

/** One file per video track, as sent: IVF, or Annex B for H.264. */
export class DeviceVideos {
  readonly #files = new Map<string, VideoFile>()
  readonly #counts = new Map<string, number>()

  readonly #folder: string
  readonly #startedAtMs: number

  constructor(folder: string, startedAtMs: number) {
    this.#folder = folder
    this.#startedAtMs = startedAtMs
  }

  async add(journal: string, track: TrackReader, frames: TimedFrame[]) {
    const codec = videoCodec(track.head.codec.mimeType)
    const [first] = frames
    if (!codec || !first) return
    let file = this.#files.get(journal)
    if (!file) {
      file = await this.#open(track, codec.name === 'h264', first.atMs)
      this.#files.set(journal, file)
      if (!file.times) await file.handle.appendFile(ivfHead(codec.fourCc, 1000))
    }
    const { firstMs, times } = file
    if (times) {
      await file.handle.appendFile(Buffer.concat(frames.map(frame => frame.data)))
      await times.appendFile(frames.map(frame => `${(frame.atMs - firstMs).toFixed(3)}\n`).join(''))
    } else
      await file.handle.appendFile(Buffer.concat(frames.flatMap(frame => ivfFrame(since(firstMs, frame)))))
    file.lastMs = frames.at(-1)?.atMs ?? file.lastMs
  }

  async close(): Promise<ManifestEntry[]> {
    const entries: ManifestEntry[] = []
    for (const { path, handle, times, track, firstMs, lastMs } of this.#files.values()) {
      await handle.close()
      await times?.close()
      const { participantId, source, codec } = track.head
      entries.push({
        ...{ kind: 'video', path, contentType: times ? 'video/h264' : 'video/x-ivf', participantId, source },
        ...{ codec: codec.mimeType, offsetMs: Math.round(firstMs - this.#startedAtMs) },
        durationMs: Math.round(lastMs - firstMs),
        ...(times && { timesPath: timesOf(path) }),
      })
    }
    return entries
  }

  /** A camera that was reopened is a new track and another file of its device. */
  async #open(track: TrackReader, isH264: boolean, firstMs: number): Promise<VideoFile> {
    const stem = `tracks/video/device_${deviceIdOf(track.head.participantId)}_${track.head.source}`
    const count = (this.#counts.get(stem) ?? 0) + 1
    this.#counts.set(stem, count)
    const path = `${stem}${count === 1 ? '' : `_${count}`}.${isH264 ? 'h264' : 'ivf'}`
    await mkdir(dirname(join(this.#folder, path)), { recursive: true })
    const handle = await open(join(this.#folder, path), 'w')
    const times = isH264 ? await open(join(this.#folder, timesOf(path)), 'w') : null
    await times?.appendFile('# timestamp format v2\n')
    return { path, handle, times, track, firstMs, lastMs: firstMs }
  }
}

const timesOf = (path: string) => `${path}.timestamps.txt`

const since = (firstMs: number, { data, atMs }: TimedFrame) => ({
  data,
  ticks: Math.max(0, Math.round(atMs - firstMs)),
})
