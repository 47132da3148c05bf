import { clamp, GAP, type Rect, type Size, TALLEST, WIDEST } from './geometry.ts'

const SHARE = 0.2
const LONG_MIN = 96
const LONG_MAX = 288
const MARGIN = GAP + 4

/** The small own view in the lower right corner, while the other one of two people has the whole stage. */
export function ownViewRect(stage: Size): Rect {
  const isWide = stage.width > stage.height
  const long = clamp(Math.max(stage.width, stage.height) * SHARE, LONG_MIN, LONG_MAX)
  const width = Math.min(isWide ? long : long / TALLEST, stage.width / 3)
  const height = Math.min(isWide ? width / WIDEST : width * TALLEST, stage.height / 2)
  return {
    left: stage.width - width - MARGIN,
    top: stage.height - height - MARGIN,
    width,
    height,
  }
}
