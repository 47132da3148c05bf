import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDiskFull } from '@lectern/worker-kit'
import type { BoardPictures } from '../board/board-pictures.ts'
import { STROKE_MAX_MS } from '../board/growing-strokes.ts'
import { SILENCE_SAMPLES } from '../frames/opus.ts'
import type { PresenceHistory } from '../session/presence-history.ts'
import { SETTLED_MS } from '../tracks/track-reader.ts'
import type { Tracks } from '../tracks/tracks.ts'
import {
  AUDIO_FILE,
  type Chunk,
  CONFIG_FILE,
  chunkFrames,
  chunkName,
  finishedChunks,
  KEY_FRAME_INTERVAL,
  nextChunk,
  VIDEO_FILE,
} from './chunks.ts'
import { type FfmpegStep, ffmpegArguments } from './command.ts'
import { audioNeededFrom, LEAD_IN_PACKETS, prepareMix } from './compose-audio.ts'
import { prepareScene, sceneOf } from './compose-video.ts'
import type { Ffmpeg, RunOptions } from './ffmpeg.ts'
import { BOARD } from './layout.ts'
import { packetsOf, type StoredPacket, storePackets } from './packets.ts'
import { configOf } from './pictures.ts'
import { untilDecodable } from './place-frames.ts'
import { serializeConfig } from './recording-file.ts'
import { planScenes, type Scene } from './scenes.ts'
import { FRAME_MS, FRAME_SAMPLES } from './video-format.ts'

/** After this many failures each video is tried on its own, so that one which cannot be decoded does not hide the others. */
const ATTEMPTS_WITH_ALL = 2
/** After this many the chunk is composed without cameras and screens, so that the board, audio and later chunks are kept. */
const ATTEMPTS_WITH_VIDEO = 3
/** In the last attempt it has audio only. */
const ATTEMPTS_MAX = 5

const SAMPLES_PER_MS = 48

/**
 * A packet sent before the end of a chunk may arrive this much later than over the fastest way, by which times are
 * determined: without it, the end of each chunk would lack sound.
 */
const DELAY_MAX_MS = 1000
/** After this time nothing of a chunk can arrive any more, and what has is final. */
const FINAL_AFTER_MS = SETTLED_MS + DELAY_MAX_MS

const CHUNK_FILES = new Set([VIDEO_FILE, AUDIO_FILE, CONFIG_FILE])

/** The part of the recording that is final. */
interface Available {
  untilMs: number
  /** Until then, it is known how the strokes on the board have grown. */
  drawnUntilMs: number
  /** Null while the recording runs. */
  endMs: number | null
  /** Cameras and screens that are sent. */
  videos: number
  isLive: boolean
  signal: AbortSignal
}

interface ComposerParts {
  folder: string
  startedAtMs: number
  tracks: Tracks
  presence: PresenceHistory
  board: BoardPictures
  ffmpeg: Ffmpeg
  /** Reports a failure that is retried or worked around. */
  failed: (what: string, err: unknown) => void
}

/** Composes the chunks of a recording in order. Completed chunks are never composed again, by any process. */
export class Composer {
  #next = 0
  #skipped = 0
  #failures = 0
  /** Journals whose video was left out last: in the next chunk they are tried on their own first. */
  readonly #suspects = new Set<string>()
  readonly chunks: Chunk[] = []
  readonly #parts: ComposerParts

  private constructor(parts: ComposerParts) {
    this.#parts = parts
  }

  static async open(parts: ComposerParts): Promise<Composer> {
    await mkdir(parts.folder, { recursive: true })
    const composer = new Composer(parts)
    composer.chunks.push(...(await finishedChunks(parts.folder)))
    composer.#next = composer.chunks.at(-1)?.to ?? 0
    const complete = new Set(composer.chunks.map(chunkName))
    for (const name of await readdir(parts.folder)) {
      if (!complete.has(name)) await rm(join(parts.folder, name), { recursive: true })
    }
    return composer
  }

  get folder() {
    return this.#parts.folder
  }

  /** Effort spent by this process. */
  get statistics() {
    return { ffmpeg_seconds: Math.round(this.#parts.ffmpeg.seconds), failures: this.#failures }
  }

  /** Composes the next chunk. False if its media is not final yet, or none is left. */
  async composeNext({ untilMs, drawnUntilMs, endMs, videos, isLive, signal }: Available): Promise<boolean> {
    const frameAt = (ms: number) => Math.max(0, Math.floor((ms - this.#parts.startedAtMs) / FRAME_MS))
    const end = endMs === null ? null : frameAt(endMs)
    const final = frameAt(Math.min(untilMs - FINAL_AFTER_MS, drawnUntilMs))
    const chunk = nextChunk(this.#next, chunkFrames(videos), final, end)
    if (!chunk) return false
    const toMs = this.#parts.startedAtMs + chunk.to * FRAME_MS
    await this.#skip()
    await this.#parts.tracks.advance(Math.min(untilMs, toMs + FINAL_AFTER_MS))
    this.#parts.board.read(toMs + STROKE_MAX_MS)
    await this.#composeWithRetries(chunk, isLive, signal)
    this.chunks.push(chunk)
    this.#next = chunk.to
    this.#release(chunk.to)
    return true
  }

  /** Reads past the last chunk, for the statistics. */
  async readRemaining() {
    await this.#skip()
    await this.#parts.tracks.advance(Number.POSITIVE_INFINITY)
  }

  /** Reads past chunks of an earlier process, step by step to bound memory. */
  async #skip() {
    for (; this.#skipped < this.#next; this.#skipped += KEY_FRAME_INTERVAL) {
      const frame = Math.min(this.#skipped, this.#next)
      const readMs = this.#parts.startedAtMs + frame * FRAME_MS + FINAL_AFTER_MS
      await this.#parts.tracks.advance(readMs)
      this.#parts.board.read(readMs)
      this.#release(frame)
    }
  }

  #release(frame: number) {
    const { startedAtMs, tracks, presence, board } = this.#parts
    const beforeMs = startedAtMs + frame * FRAME_MS
    tracks.prune(beforeMs, audioNeededFrom(this.#sampleAt(frame)))
    presence.prune(beforeMs)
    board.release(beforeMs)
  }

  async #composeWithRetries(chunk: Chunk, isLive: boolean, signal: AbortSignal) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#composeOnce(chunk, attempt, isLive, signal)
      } catch (err) {
        // On a full disk neither an immediate retry nor dropping video would help.
        if (signal.aborted || attempt === ATTEMPTS_MAX || isDiskFull(err)) throw err
        this.#failures += 1
        this.#parts.failed(`chunk ${chunkName(chunk)}, attempt ${attempt}`, err)
      }
    }
  }

  async #composeOnce(chunk: Chunk, attempt: number, isLive: boolean, signal: AbortSignal) {
    const name = chunkName(chunk)
    const partial = join(this.#parts.folder, `making-${name}`)
    await rm(partial, { recursive: true, force: true })
    await mkdir(partial)
    await this.#compose(chunk, attempt, { cwd: partial, isLive, signal })
    for (const file of await readdir(partial)) if (!CHUNK_FILES.has(file)) await rm(join(partial, file))
    await rename(partial, join(this.#parts.folder, name))
  }

  async #compose(chunk: Chunk, attempt: number, run: RunOptions) {
    const { cwd } = run
    const samples = (chunk.to - chunk.from) * FRAME_SAMPLES
    const mix = await prepareMix(cwd, 'mix', this.#sampleAt(chunk.from), samples, this.#parts.tracks.audio())
    const video: StoredPacket[] = []
    for (const [index, scene] of (await this.#composableScenes(chunk, attempt, run)).entries())
      video.push(...(await this.#composeScene(`scene-${index}`, scene, run, index === 0 ? [mix] : [])))
    await writeFile(join(cwd, CONFIG_FILE), serializeConfig(configOf(video[0] as StoredPacket)))
    const audio = (await packetsOf(join(cwd, 'mix.mka'))).slice(LEAD_IN_PACKETS)
    await storePackets(join(cwd, VIDEO_FILE), video)
    await storePackets(join(cwd, AUDIO_FILE), takeExactly(samples / SILENCE_SAMPLES, audio))
  }

  async #composeScene(
    name: string,
    scene: Scene,
    run: RunOptions,
    further: FfmpegStep[] = [],
  ): Promise<StoredPacket[]> {
    const { startedAtMs, tracks, ffmpeg, board } = this.#parts
    const step = await prepareScene(run.cwd, name, scene, startedAtMs, tracks.byFile, board)
    await ffmpeg.run(ffmpegArguments([step, ...further]), run)
    return sceneOf(join(run.cwd, `${name}.mkv`), scene)
  }

  /** The scenes with the videos that an attempt may have: one that fails in a scene is left out of that one only. */
  async #composableScenes(chunk: Chunk, attempt: number, run: RunOptions): Promise<Scene[]> {
    const isTried = (video: string) => attempt > ATTEMPTS_WITH_ALL || this.#suspects.has(video)
    const tried = new Set<string>()
    const failing = new Set<string>()
    const composable: Scene[] = []
    for (const scene of this.#scenes(chunk).map(each => withVideos(each, video => mayHave(attempt, video)))) {
      const left = new Set<string>()
      for (const { video } of scene.tiles) {
        if (video === null || !isTried(video)) continue
        tried.add(video)
        if (!(await this.#isComposable(video, scene, run))) left.add(video)
      }
      for (const video of left) failing.add(video)
      composable.push(withVideos(scene, video => !left.has(video)))
    }
    for (const video of tried) if (!failing.has(video)) this.#suspects.delete(video)
    return composable
  }

  /** Whether the video can be composed on its own. One that cannot is a suspect. */
  async #isComposable(video: string, scene: Scene, run: RunOptions): Promise<boolean> {
    try {
      await this.#composeScene(
        'tried',
        withVideos(scene, each => each === video),
        run,
      )
      return true
    } catch (err) {
      if (run.signal.aborted || isDiskFull(err)) throw err
      // Once, and not for each chunk of a call.
      if (!this.#suspects.has(video)) this.#parts.failed(`${video} is left out`, err)
      this.#suspects.add(video)
      return false
    }
  }

  #scenes(chunk: Chunk): Scene[] {
    const { startedAtMs, presence, tracks, board } = this.#parts
    const videoOf = (file: string) => {
      const media = tracks.byFile.get(file)?.media
      return media?.kind === 'video' ? media : null
    }
    return planScenes(chunk.from, chunk.to, startedAtMs, presence, tracks.forScenes(), board).flatMap(scene =>
      untilDecodable(scene, startedAtMs, videoOf),
    )
  }

  #sampleAt(frame: number) {
    return Math.round(this.#parts.startedAtMs * SAMPLES_PER_MS) + frame * FRAME_SAMPLES
  }
}

const mayHave = (attempt: number, video: string): boolean =>
  attempt <= ATTEMPTS_WITH_VIDEO || (video === BOARD && attempt < ATTEMPTS_MAX)

/** The scene with these videos only; people with other videos are shown as if their camera were off. */
const withVideos = (scene: Scene, isShown: (video: string) => boolean): Scene => ({
  ...scene,
  tiles: scene.tiles.map(tile =>
    tile.video === null || isShown(tile.video) ? tile : { ...tile, video: null },
  ),
})

/** Encoders may emit an extra packet at the end. */
function takeExactly(count: number, packets: StoredPacket[]): StoredPacket[] {
  if (packets.length < count) throw new Error(`ffmpeg made ${packets.length} of ${count} packets`)
  return packets.slice(0, count)
}
