import { readdir } from 'node:fs/promises'
import { FPS } from './video-format.ts'

/** A range of frames that is composed at once, counted from the start of the recording. */
export interface Chunk {
  from: number
  to: number
}

/** Starting ffmpeg costs as much as composing three seconds of two cameras. What is left at the end has to be short. */
const LONG_CHUNK_FRAMES = 30 * FPS
const SHORT_CHUNK_FRAMES = 10 * FPS
const MANY_VIDEOS = 5

/** The length of the chunks of a call with this many cameras and screens. */
export const chunkFrames = (videos: number) => (videos < MANY_VIDEOS ? LONG_CHUNK_FRAMES : SHORT_CHUNK_FRAMES)

/** Chunks begin at multiples of this, while the number of videos does not change. */
export const KEY_FRAME_INTERVAL = SHORT_CHUNK_FRAMES

/** Files in the folder of a chunk. */
export const VIDEO_FILE = 'video.packets'
export const AUDIO_FILE = 'audio.packets'
export const CONFIG_FILE = 'video.json'

/** Folder name of a complete chunk; a chunk in progress has another name. */
export const chunkName = ({ from, to }: Chunk) => `${String(from).padStart(9, '0')}-${to}`

/** The contiguous complete chunks from the first one. */
export async function finishedChunks(folder: string): Promise<Chunk[]> {
  const found = (await readdir(folder)).flatMap(name => {
    const match = /^(\d{9,})-(\d+)$/.exec(name)
    return match ? [{ from: Number(match[1]), to: Number(match[2]) }] : []
  })
  const chunks: Chunk[] = []
  for (const chunk of found.sort((a, b) => a.from - b.from)) {
    if (chunk.from === (chunks.at(-1)?.to ?? 0)) chunks.push(chunk)
  }
  return chunks
}

/**
 * The next chunk, if its media is final: of full length, or the remainder when the recording has ended or the room is
 * empty.
 */
export function nextChunk(from: number, frames: number, knownTo: number, end: number | null): Chunk | null {
  const to = Math.min(from + frames, end ?? Number.POSITIVE_INFINITY)
  return to <= from || to > knownTo ? null : { from, to }
}
