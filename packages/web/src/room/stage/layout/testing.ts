import type { Rect, Size } from './geometry.ts'

/** Stages of windows from a small phone to a large screen. */
export const STAGES: Size[] = [
  { width: 304, height: 440 },
  { width: 374, height: 700 },
  { width: 828, height: 270 },
  { width: 1416, height: 770 },
  { width: 3800, height: 2000 },
]

export const isInside = (stage: Size) => (rect: Rect) =>
  rect.left >= -0.01 &&
  rect.top >= -0.01 &&
  rect.left + rect.width <= stage.width + 0.01 &&
  rect.top + rect.height <= stage.height + 0.01

const overlap = (one: Rect, other: Rect) =>
  one.left < other.left + other.width - 0.01 &&
  other.left < one.left + one.width - 0.01 &&
  one.top < other.top + other.height - 0.01 &&
  other.top < one.top + one.height - 0.01

export const overlaps = (rects: Rect[]) =>
  rects.some((one, at) => rects.slice(at + 1).some(other => overlap(one, other)))
