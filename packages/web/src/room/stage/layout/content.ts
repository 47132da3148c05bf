import { contentRect } from '../../pointer/letterbox.ts'
import { type Size, WIDEST } from './geometry.ts'
import { screenArea } from './screen-area.ts'

/** The content of a tile. */
export interface Content {
  /** Width by height. */
  ratio: number
  /** Every pixel of a screen counts, and its name is below it. */
  isScreen: boolean
}

/** The ratio of a video before its first frame. */
export const USUAL_RATIO = WIDEST

/** The size at which the content is shown whole in a tile. */
export function pictureIn(tile: Size, { ratio, isScreen }: Content): Size {
  const video = { width: ratio, height: 1 }
  return contentRect(video, isScreen ? screenArea(video, tile) : tile) ?? { width: 0, height: 0 }
}

export const areaOf = ({ width, height }: Size): number => width * height
