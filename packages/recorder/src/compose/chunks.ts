import { readdir } from 'node:fs/promises'
import { FPS } from './picture.ts'

/** Frames of the recording that are composed, or are to be, in one go. They count from its beginning. */
export interface Chunk {
  from: number
  to: number
}

export const CHUNK_FRAMES = 10 * FPS

/** What the folder of a chunk holds. */
export const VIDEO_FILE = 'video.packets'
export const AUDIO_FILE = 'audio.packets'
export const CONFIG_FILE = 'video.json'

/** The folder of a chunk that is whole. While it is made its name is another one. */
export const chunkName = ({ from, to }: Chunk) => `${String(from).padStart(9, '0')}-${to}`

/** The chunks that are whole, one behind the other from the first on. */
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
 * The next chunk, if all of it is known: a whole one, or what is left when the recording, or for now the presence
 * of everybody, has come to its end.
 */
export function nextChunk(from: number, knownTo: number, end: number | null): Chunk | null {
  const to = Math.min(from + CHUNK_FRAMES, end ?? Number.POSITIVE_INFINITY)
  return to <= from || to > knownTo ? null : { from, to }
}
