import { clamp, GAP, type Rect, type Size, TALLEST, WIDEST } from './geometry.ts'

const SHARE = 0.2
const LONG_MIN = 96
const LONG_MAX = 288
const MARGIN = GAP + 4
/** The narrowest shape, of a phone's camera. */
const NARROWEST = 9 / 16

/**
 * The small own view in the lower right corner, while the other one of two people has the whole stage. It has the shape
 * of the camera, so that there are no bars beside the video; until that is known, that of the stage.
 */
export function ownViewRect(stage: Size, camera: number | null): Rect {
  const ratio = camera ? clamp(camera, NARROWEST, WIDEST) : shapeOf(stage)
  const long = clamp(Math.max(stage.width, stage.height) * SHARE, LONG_MIN, LONG_MAX)
  const whole = ratio > 1 ? { width: long, height: long / ratio } : { width: long * ratio, height: long }
  const scale = Math.min(1, stage.width / 3 / whole.width, stage.height / 2 / whole.height)
  const [width, height] = [whole.width * scale, whole.height * scale]
  return {
    left: stage.width - width - MARGIN,
    top: stage.height - height - MARGIN,
    width,
    height,
  }
}

const shapeOf = ({ width, height }: Size): number => (width > height ? WIDEST : 1 / TALLEST)
