import type { Size } from '@lectern/worker-kit'
import { HEIGHT, WIDTH } from './video-format.ts'

/** A participant to display. */
export interface ParticipantTile {
  name: string
  /** Selects the tile colour. */
  colour: number
  /** Journal of the camera track; null if the camera is off. */
  video: string | null
}

/** What the large tile shows. */
export interface LargeTile extends ParticipantTile {
  is: 'face' | 'screen' | 'board'
}

/** Instead of a journal. */
export const BOARD = 'board'
export const LARGE_BOARD: LargeTile = { is: 'board', name: '', colour: 0, video: BOARD }

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface Tile extends Box, LargeTile {}

/** Maximum number of camera tiles, beside a large tile and without one. */
export const cameraTilesMax = (hasLarge: boolean) => (hasLarge ? 4 : 9)

const GAP = 12
const ASPECT = 16 / 9
const SIDEBAR_WIDTH = 272
const LARGE_WIDTH = even(WIDTH - SIDEBAR_WIDTH - 3 * GAP)
export const LARGE_SIZE: Size = { width: LARGE_WIDTH, height: even(LARGE_WIDTH / ASPECT) }

/** Size of a camera tile for this number of participants, beside a large tile or without one. */
export function cameraTileSize(people: number, hasLarge: boolean): Size {
  const shown = Math.min(Math.max(people, 1), cameraTilesMax(hasLarge))
  const faces = Array.from({ length: shown }, () => ({ name: '', colour: 0, video: null }))
  const { width, height } = layOut(faces, hasLarge ? LARGE_BOARD : null).at(-1) as Tile
  return { width, height }
}

/** The webinar layout: a large tile with a sidebar of cameras, or a grid of cameras. */
export function layOut(faces: ParticipantTile[], large: LargeTile | null): Tile[] {
  if (!large) return grid(faces)
  const y = even((HEIGHT - LARGE_SIZE.height) / 2)
  const faceHeight = even(SIDEBAR_WIDTH / ASPECT)
  const top = even((HEIGHT - rows(faces.length, faceHeight)) / 2)
  return [
    { ...large, x: GAP, y, ...LARGE_SIZE },
    ...faces.map((face, index): Tile => {
      const y = top + index * (faceHeight + GAP)
      return {
        is: 'face',
        ...face,
        x: WIDTH - SIDEBAR_WIDTH - GAP,
        y,
        width: SIDEBAR_WIDTH,
        height: faceHeight,
      }
    }),
  ]
}

function grid(faces: ParticipantTile[]): Tile[] {
  const columns = Math.ceil(Math.sqrt(faces.length))
  const rowCount = Math.ceil(faces.length / columns)
  const width = Math.min(
    (WIDTH - GAP * (columns + 1)) / columns,
    ((HEIGHT - GAP * (rowCount + 1)) / rowCount) * ASPECT,
  )
  const size = { width: even(width), height: even(width / ASPECT) }
  const top = (HEIGHT - rows(rowCount, size.height)) / 2
  return faces.map((face, index): Tile => {
    const row = Math.floor(index / columns)
    const inRow = Math.min(columns, faces.length - row * columns)
    const left = (WIDTH - inRow * size.width - (inRow - 1) * GAP) / 2
    const x = even(left + (index - row * columns) * (size.width + GAP))
    return { is: 'face', ...face, ...size, x, y: even(top + row * (size.height + GAP)) }
  })
}

const rows = (count: number, height: number) => count * height + Math.max(0, count - 1) * GAP

/** 4:2:0 subsampling requires even coordinates. */
function even(pixels: number): number {
  return 2 * Math.floor(pixels / 2)
}
