import type { Size } from '@lectern/worker-kit'
import { HEIGHT, WIDTH } from './picture.ts'

/** Somebody to be shown. */
export interface Face {
  name: string
  /** Chooses the colour of the tile; not an identity. */
  colour: number
  /** The journal whose pictures are shown; null: the camera is off. */
  video: string | null
}

export interface Screen {
  name: string
  video: string
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface Tile extends Box, Face {
  is: 'face' | 'screen'
}

/** How many faces can be told apart: alone, or beside a screen. */
export const facesShown = (hasScreen: boolean) => (hasScreen ? 4 : 9)

/** How large each camera is shown among so many people. */
export function faceSize(people: number, hasScreen: boolean): Size {
  const shown = Math.min(Math.max(people, 1), facesShown(hasScreen))
  const faces = Array.from({ length: shown }, () => ({ name: '', colour: 0, video: null }))
  const { width, height } = layOut(faces, hasScreen ? { name: '', video: '' } : null).at(-1) as Tile
  return { width, height }
}

const GAP = 12
const ASPECT = 16 / 9
const SIDE = 272

/** The webinar layout: a screen large with faces beside it, otherwise the faces side by side. */
export function layOut(faces: Face[], screen: Screen | null): Tile[] {
  if (!screen) return grid(faces)
  const width = even(WIDTH - SIDE - 3 * GAP)
  const height = even(width / ASPECT)
  const large: Tile = {
    ...{ is: 'screen', name: screen.name, colour: 0, video: screen.video },
    ...{ x: GAP, y: even((HEIGHT - height) / 2), width, height },
  }
  const faceHeight = even(SIDE / ASPECT)
  const top = even((HEIGHT - rows(faces.length, faceHeight)) / 2)
  return [
    large,
    ...faces.map((face, place): Tile => {
      const y = top + place * (faceHeight + GAP)
      return { is: 'face', ...face, x: WIDTH - SIDE - GAP, y, width: SIDE, height: faceHeight }
    }),
  ]
}

function grid(faces: Face[]): Tile[] {
  const columns = Math.ceil(Math.sqrt(faces.length))
  const rowCount = Math.ceil(faces.length / columns)
  const width = Math.min(
    (WIDTH - GAP * (columns + 1)) / columns,
    ((HEIGHT - GAP * (rowCount + 1)) / rowCount) * ASPECT,
  )
  const size = { width: even(width), height: even(width / ASPECT) }
  const top = (HEIGHT - rows(rowCount, size.height)) / 2
  return faces.map((face, place): Tile => {
    const row = Math.floor(place / columns)
    const inRow = Math.min(columns, faces.length - row * columns)
    const left = (WIDTH - inRow * size.width - (inRow - 1) * GAP) / 2
    const x = even(left + (place - row * columns) * (size.width + GAP))
    return { is: 'face', ...face, ...size, x, y: even(top + row * (size.height + GAP)) }
  })
}

const rows = (count: number, height: number) => count * height + Math.max(0, count - 1) * GAP

/** Pictures in 4:2:0 have no odd places. */
const even = (pixels: number) => 2 * Math.floor(pixels / 2)
