import { clamp, GAP, type Rect, type Size, TALLEST, WIDEST } from './geometry.ts'

const SHARE = 0.2
const LONG_MIN = 96
const LONG_MAX = 288
const MARGIN = GAP + 4
/** The narrowest shape, of a phone's camera. */
const NARROWEST = 9 / 16

/** A corner in the direction of the text: `end` is on the right where text runs from left to right. */
export interface Corner {
  block: 'top' | 'bottom'
  inline: 'start' | 'end'
}

export const FIRST_CORNER: Corner = { block: 'bottom', inline: 'end' }

/**
 * The small own view in a corner of the stage, while the other one of two people has the whole stage. It has the shape
 * of the camera, so that there are no bars beside the video; until that is known, it has the shape of the stage.
 */
export function ownViewRect(stage: Size, camera: number | null, corner = FIRST_CORNER): Rect {
  const ratio = camera ? clamp(camera, NARROWEST, WIDEST) : shapeOf(stage)
  const long = clamp(Math.max(stage.width, stage.height) * SHARE, LONG_MIN, LONG_MAX)
  const whole = ratio > 1 ? { width: long, height: long / ratio } : { width: long * ratio, height: long }
  const scale = Math.min(1, stage.width / 3 / whole.width, stage.height / 2 / whole.height)
  const [width, height] = [whole.width * scale, whole.height * scale]
  return {
    left: corner.inline === 'start' ? MARGIN : stage.width - width - MARGIN,
    top: corner.block === 'top' ? MARGIN : stage.height - height - MARGIN,
    width,
    height,
  }
}

/** The picture of the other one and the own view beside each other, where the stage has space; else the latter on the former. */
export function withOwnView(
  stage: Size,
  picture: Rect,
  own: Rect,
  corner: Corner,
): { picture: Rect; own: Rect } {
  const left = startBeside(
    [own.left, own.width],
    [picture.left, picture.width],
    stage.width,
    corner.inline === 'end',
  )
  if (left !== null) return { picture: { ...picture, left }, own }
  const top = startBeside(
    [own.top, own.height],
    [picture.top, picture.height],
    stage.height,
    corner.block === 'bottom',
  )
  if (top !== null) return { picture: { ...picture, top }, own }
  // Across an edge of the picture it would look misplaced.
  const within = (at: number, length: number, from: number, space: number) =>
    clamp(at, from + MARGIN, from + space - length - MARGIN)
  return {
    picture,
    own: {
      ...own,
      left: within(own.left, own.width, picture.left, picture.width),
      top: within(own.top, own.height, picture.top, picture.height),
    },
  }
}

/** The width that the own view takes from the picture on the side of its corner; null: it does not lie on it. */
export function coveredWidth(own: Rect, picture: Rect, { inline }: Corner): number | null {
  const [right, bottom] = [picture.left + picture.width, picture.top + picture.height]
  const isOver =
    own.left < right &&
    own.left + own.width > picture.left &&
    own.top < bottom &&
    own.top + own.height > picture.top
  if (!isOver) return null
  return inline === 'end' ? right - own.left : own.left + own.width - picture.left
}

type Span = readonly [start: number, length: number]

/** Where the centred picture begins, or begins when it has moved away from the own view; null: both do not fit. */
function startBeside(
  [own, ownLength]: Span,
  [centred, length]: Span,
  space: number,
  isAtEnd: boolean,
): number | null {
  const start = isAtEnd ? Math.min(own - GAP - length, centred) : Math.max(own + ownLength + GAP, centred)
  return start >= 0 && start + length <= space ? start : null
}

const shapeOf = ({ width, height }: Size): number => (width > height ? WIDEST : 1 / TALLEST)

/** The corner that is nearest to a point of the stage. */
export const nearestCorner = ({ width, height }: Size, point: { left: number; top: number }): Corner => ({
  block: point.top < height / 2 ? 'top' : 'bottom',
  inline: point.left < width / 2 ? 'start' : 'end',
})

/** The corner to which an arrow key moves the own view; null: another key. */
export function cornerByKey(corner: Corner, key: string, isRightToLeft: boolean): Corner | null {
  switch (key) {
    case 'ArrowUp':
      return { ...corner, block: 'top' }
    case 'ArrowDown':
      return { ...corner, block: 'bottom' }
    case 'ArrowLeft':
      return { ...corner, inline: isRightToLeft ? 'end' : 'start' }
    case 'ArrowRight':
      return { ...corner, inline: isRightToLeft ? 'start' : 'end' }
    default:
      return null
  }
}
