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

/** The source of the large tile. A board has no name, and instead of a journal this. */
export interface Screen {
  name: string
  video: string
}
export const BOARD = 'board'

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface Tile extends Box, ParticipantTile {
  is: 'face' | 'screen' | 'board'
}

/** Maximum number of camera tiles, with and without a shared screen. */
export const cameraTilesMax = (hasScreen: boolean) => (hasScreen ? 4 : 9)

/** Size of a camera tile for this number of participants. */
export function cameraTileSize(people: number, hasScreen: boolean): Size {
  const shown = Math.min(Math.max(people, 1), cameraTilesMax(hasScreen))
  const faces = Array.from({ length: shown }, () => ({ name: '', colour: 0, video: null }))
  const { width, height } = layOut(faces, hasScreen ? { name: '', video: '' } : null).at(-1) as Tile
  return { width, height }
}

const GAP = 12
const ASPECT = 16 / 9
const SIDEBAR_WIDTH = 272

/** The webinar layout: a large screen with a sidebar of cameras, or a grid of cameras. */
export function layOut(faces: ParticipantTile[], screen: Screen | null): Tile[] {
  if (!screen) return grid(faces)
  const width = even(WIDTH - SIDEBAR_WIDTH - 3 * GAP)
  const height = even(width / ASPECT)
  const large: Tile = {
    ...{ is: screen.video === BOARD ? 'board' : 'screen', name: screen.name, colour: 0, video: screen.video },
    ...{ x: GAP, y: even((HEIGHT - height) / 2), width, height },
  }
  const faceHeight = even(SIDEBAR_WIDTH / ASPECT)
  const top = even((HEIGHT - rows(faces.length, faceHeight)) / 2)
  return [
    large,
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
const even = (pixels: number) => 2 * Math.floor(pixels / 2)
