import type { Tile } from './layout.ts'
import { HEIGHT } from './video-format.ts'

/** Side of a macroblock of H.264. */
export const MACROBLOCK = 16

/** Rows of macroblocks. */
export interface Band {
  from: number
  to: number
}

const ROWS = HEIGHT / MACROBLOCK

export const WHOLE_PICTURE: Band = { from: 0, to: ROWS }

/**
 * The rows that x264 has to encode: those with tiles, and one of background on each side. Motion vectors may point out of
 * the encoded picture, where the encoder repeats its last line: it equals the background which a player has there.
 */
export function bandOf(tiles: Tile[]): Band {
  if (tiles.length === 0) return { from: 0, to: 2 }
  const top = Math.min(...tiles.map(({ y }) => y))
  const bottom = Math.max(...tiles.map(({ y, height }) => y + height))
  return {
    from: Math.max(0, Math.floor(top / MACROBLOCK) - 1),
    to: Math.min(ROWS, Math.ceil(bottom / MACROBLOCK) + 1),
  }
}
