import type { ImageData, Vector } from '@lectern/board'
import { type BoardElement, COORDINATE_MAX } from '@lectern/protocol/control/client'

export type ImageElement = Extract<BoardElement, { kind: 'image' }>
type Frame = Pick<ImageData, 'x' | 'y' | 'width' | 'height'>

/** An image is at most this part of its page at first. */
const SHARE = 0.6
/** In units. */
const SMALLEST = 20

/** Around the point, inside of the page, in the ratio of the picture. A pixel is a unit unless that is too large. */
export function firstFrame(
  picture: { width: number; height: number },
  page: { width: number; height: number },
  at: Vector = { x: page.width / 2, y: page.height / 2 },
): Frame {
  const most = SHARE * Math.min(page.width / picture.width, page.height / picture.height)
  const scale = Math.min(most, 1)
  const width = Math.max(Math.round(picture.width * scale), 1)
  const height = Math.max(Math.round(picture.height * scale), 1)
  const inside = (middle: number, size: number, all: number) =>
    Math.round(Math.min(Math.max(middle - size / 2, 0), all - size))
  return { x: inside(at.x, width, page.width), y: inside(at.y, height, page.height), width, height }
}

/** Larger or smaller around its middle. */
export function scaledImage({ x, y, width, height }: Frame, by: number): Frame {
  const least = SMALLEST / Math.min(width, height)
  const most = COORDINATE_MAX / 10 / Math.max(width, height)
  const scale = Math.min(Math.max(by, Math.min(least, 1)), most)
  const [wide, high] = [Math.round(width * scale), Math.round(height * scale)]
  return {
    x: Math.round(x + (width - wide) / 2),
    y: Math.round(y + (height - high) / 2),
    width: Math.max(wide, 1),
    height: Math.max(high, 1),
  }
}
