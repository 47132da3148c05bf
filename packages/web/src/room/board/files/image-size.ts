import type { ImageData, Vector } from '@lectern/board'

type Frame = Pick<ImageData, 'x' | 'y' | 'width' | 'height'>

/** An image is at most this part of its page at first. */
const SHARE = 0.6

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
