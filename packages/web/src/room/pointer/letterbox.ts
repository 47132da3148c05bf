import type { PointerPosition } from '../../call/pointers.ts'
import type { Rect, Size } from '../stage/layout/geometry.ts'

/** The part of a box that a video fills which is shown whole, with its shape; null until its size is known. */
export function contentRect(video: Size, box: Size): Rect | null {
  if (video.width <= 0 || video.height <= 0 || box.width <= 0 || box.height <= 0) return null
  const scale = Math.min(box.width / video.width, box.height / video.height)
  const [width, height] = [video.width * scale, video.height * scale]
  return { left: (box.width - width) / 2, top: (box.height - height) / 2, width, height }
}

/** The position of a point of the box in the video; null: beside it. */
export function positionIn(content: Rect, point: { x: number; y: number }): PointerPosition | null {
  const x = (point.x - content.left) / content.width
  const y = (point.y - content.top) / content.height
  return x >= 0 && x <= 1 && y >= 0 && y <= 1 ? { x, y } : null
}

/** The point of the box at which the position is. */
export const pointOf = (content: Rect, { x, y }: PointerPosition): { left: number; top: number } => ({
  left: content.left + x * content.width,
  top: content.top + y * content.height,
})

/** How far an arrow key moves the pointer; with Shift farther. */
const STEP = 0.02
const LONG_STEP = 0.1
const CENTRE: PointerPosition = { x: 0.5, y: 0.5 }

const DIRECTIONS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** The next position after a key; null: the key does not move the pointer. The first key shows it in the middle. */
export function moveByKey(
  position: PointerPosition | null,
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
): PointerPosition | null {
  const direction = DIRECTIONS[key]
  if (!direction) return null
  if (!position) return CENTRE
  const step = shiftKey ? LONG_STEP : STEP
  const [x, y] = direction
  const within = (value: number) => Math.min(Math.max(value, 0), 1)
  return { x: within(position.x + x * step), y: within(position.y + y * step) }
}
