import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isNoRoom } from '@lectern/worker-kit'
import { SILENCE_SAMPLES } from '../frames/opus.ts'
import type { People } from '../session/people.ts'
import { SETTLED_MS } from '../tracks/track-reader.ts'
import type { Tracks } from '../tracks/tracks.ts'
import {
  AUDIO_FILE,
  CHUNK_FRAMES,
  type Chunk,
  CONFIG_FILE,
  chunkName,
  finishedChunks,
  nextChunk,
  VIDEO_FILE,
} from './chunks.ts'
import { commandOf } from './command.ts'
import { audioNeededFrom, LEAD_IN_PACKETS, prepareMix } from './compose-audio.ts'
import { prepareScene } from './compose-video.ts'
import type { Ffmpeg, Run } from './ffmpeg.ts'
import { packetsOf, type StoredPacket, storePackets, videoConfig } from './packets.ts'
import { FRAME_MS, FRAME_SAMPLES } from './picture.ts'
import { writtenConfig } from './recording-file.ts'
import { planScenes, type Scene } from './scenes.ts'

/** Pictures that ffmpeg cannot take so often are left out of the chunk: the sound and the rest go on. */
const TRIES_WITH_PICTURES = 3
const TRIES = 5

const SAMPLES_PER_MS = 48

const CHUNK_FILES = new Set([VIDEO_FILE, AUDIO_FILE, CONFIG_FILE])

/** What of the recording is known, and how much of it there will be. */
interface Known {
  untilMs: number
  /** Null: it goes on. */
  endMs: number | null
  isLive: boolean
  signal: AbortSignal
}

interface ComposerParts {
  folder: string
  startedAtMs: number
  tracks: Tracks
  people: () => People
  ffmpeg: Ffmpeg
  /** Something went wrong and is tried again, or done without. */
  failed: (what: string, err: unknown) => void
}

/** Makes the chunks of a recording one after another; what is whole is never made again, by whichever process. */
export class Composer {
  #next = 0
  #skipped = 0
  #failures = 0
  readonly chunks: Chunk[] = []

  private constructor(private readonly parts: ComposerParts) {}

  static async open(parts: ComposerParts): Promise<Composer> {
    await mkdir(parts.folder, { recursive: true })
    const composer = new Composer(parts)
    composer.chunks.push(...(await finishedChunks(parts.folder)))
    composer.#next = composer.chunks.at(-1)?.to ?? 0
    const whole = new Set(composer.chunks.map(chunkName))
    for (const name of await readdir(parts.folder)) {
      if (!whole.has(name)) await rm(join(parts.folder, name), { recursive: true })
    }
    return composer
  }

  get folder() {
    return this.parts.folder
  }

  /** What it took in this process. */
  get effort() {
    return { ffmpeg_seconds: Math.round(this.parts.ffmpeg.seconds), failures: this.#failures }
  }

  /** Makes the next chunk. False: not all of it is known yet, or none is left. */
  async composeNext({ untilMs, endMs, isLive, signal }: Known): Promise<boolean> {
    const frameAt = (ms: number) => Math.max(0, Math.floor((ms - this.parts.startedAtMs) / FRAME_MS))
    const end = endMs === null ? null : frameAt(endMs)
    const chunk = nextChunk(this.#next, frameAt(untilMs - SETTLED_MS), end)
    if (!chunk) return false
    const toMs = this.parts.startedAtMs + chunk.to * FRAME_MS
    await this.#skip()
    await this.parts.tracks.advance(Math.min(untilMs, toMs + SETTLED_MS))
    await this.#make(chunk, isLive, signal)
    this.chunks.push(chunk)
    this.#next = chunk.to
    this.#forget(chunk.to)
    return true
  }

  /** What is not shown any more is still counted. */
  async readRest() {
    await this.#skip()
    await this.parts.tracks.advance(Number.POSITIVE_INFINITY)
  }

  /** Reads past what a former process has composed, piece by piece: all of it at once may not fit in memory. */
  async #skip() {
    for (; this.#skipped < this.#next; this.#skipped += CHUNK_FRAMES) {
      const frame = Math.min(this.#skipped, this.#next)
      await this.parts.tracks.advance(this.parts.startedAtMs + frame * FRAME_MS + SETTLED_MS)
      this.#forget(frame)
    }
  }

  #forget(frame: number) {
    this.parts.tracks.forget(
      this.parts.startedAtMs + frame * FRAME_MS,
      audioNeededFrom(this.#sampleAt(frame)),
    )
  }

  async #make(chunk: Chunk, isLive: boolean, signal: AbortSignal) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#tryToMake(chunk, attempt <= TRIES_WITH_PICTURES, isLive, signal)
      } catch (err) {
        // On a full disk trying again at once would not help, and leaving pictures out would not, either.
        if (signal.aborted || attempt === TRIES || isNoRoom(err)) throw err
        this.#failures += 1
        this.parts.failed(`chunk ${chunkName(chunk)}, attempt ${attempt}`, err)
      }
    }
  }

  async #tryToMake(chunk: Chunk, withPictures: boolean, isLive: boolean, signal: AbortSignal) {
    const name = chunkName(chunk)
    const making = join(this.parts.folder, `making-${name}`)
    await rm(making, { recursive: true, force: true })
    await mkdir(making)
    await this.#compose(chunk, withPictures, { cwd: making, isLive, signal })
    for (const file of await readdir(making)) if (!CHUNK_FILES.has(file)) await rm(join(making, file))
    await rename(making, join(this.parts.folder, name))
  }

  async #compose(chunk: Chunk, withPictures: boolean, run: Run) {
    const { startedAtMs, tracks, ffmpeg } = this.parts
    const { cwd } = run
    const samples = (chunk.to - chunk.from) * FRAME_SAMPLES
    const mix = await prepareMix(cwd, 'mix', this.#sampleAt(chunk.from), samples, tracks.audio())
    const pictures: StoredPacket[] = []
    for (const [place, scene] of this.#scenes(chunk).entries()) {
      const shown = withPictures ? scene : withoutPictures(scene)
      const picture = await prepareScene(cwd, `scene-${place}`, shown, startedAtMs, tracks.byFile)
      await ffmpeg.run(commandOf(place === 0 ? [picture, mix] : [picture]), run)
      const file = join(cwd, `scene-${place}.mkv`)
      pictures.push(...exactly(scene.to - scene.from, await packetsOf(file)))
      if (place === 0) await writeFile(join(cwd, CONFIG_FILE), writtenConfig(await videoConfig(file)))
    }
    const sound = (await packetsOf(join(cwd, 'mix.mka'))).slice(LEAD_IN_PACKETS)
    await storePackets(join(cwd, VIDEO_FILE), pictures)
    await storePackets(join(cwd, AUDIO_FILE), exactly(samples / SILENCE_SAMPLES, sound))
  }

  #scenes(chunk: Chunk): Scene[] {
    const { startedAtMs, people, tracks } = this.parts
    return planScenes(chunk.from, chunk.to, startedAtMs, people(), tracks.forScenes())
  }

  #sampleAt(frame: number) {
    return Math.round(this.parts.startedAtMs * SAMPLES_PER_MS) + frame * FRAME_SAMPLES
  }
}

const withoutPictures = (scene: Scene): Scene => ({
  ...scene,
  tiles: scene.tiles.map(tile => ({ ...tile, video: null })),
})

/** Encoders may put a packet more behind the end. */
function exactly(count: number, packets: StoredPacket[]): StoredPacket[] {
  if (packets.length < count) throw new Error(`ffmpeg made ${packets.length} of ${count} packets`)
  return packets.slice(0, count)
}
