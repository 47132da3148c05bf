import { clamp, type Size } from '../layout/geometry.ts'

/** How a viewer sees a screen: enlarged, and moved by this many pixels from the middle of its area. */
export interface Zoom {
  factor: number
  x: number
  y: number
}

export interface Point {
  x: number
  y: number
}

/** The area in which a screen is shown, and the size at which it is whole there. */
export interface Frame {
  area: Size
  content: Size
}

export const FIT: Zoom = { factor: 1, x: 0, y: 0 }
const FACTOR_MAX = 6
export const DOUBLE = 2

/** The screen fills its area as far as it can: no edge of it is farther inside than necessary. */
export function clamped({ factor, x, y }: Zoom, { area, content }: Frame): Zoom {
  const to = clamp(factor, 1, FACTOR_MAX)
  const reach = (side: 'width' | 'height') => Math.max((content[side] * to - area[side]) / 2, 0)
  const [across, down] = [reach('width'), reach('height')]
  return { factor: to, x: clamp(x, -across, across), y: clamp(y, -down, down) }
}

/** Enlarged around a point, which stays where it is. Points are relative to the middle of the area. */
export function zoomedTo(zoom: Zoom, factor: number, at: Point, frame: Frame): Zoom {
  const by = clamp(factor, 1, FACTOR_MAX) / zoom.factor
  const moved = { x: at.x - (at.x - zoom.x) * by, y: at.y - (at.y - zoom.y) * by }
  return clamped({ factor: zoom.factor * by, ...moved }, frame)
}

export const movedBy = (zoom: Zoom, { x, y }: Point, frame: Frame): Zoom =>
  clamped({ ...zoom, x: zoom.x + x, y: zoom.y + y }, frame)

const STEP = 1.5
/** The share of the area by which an arrow key moves the screen. */
const KEY_STEP = 0.15

/** The zoom after a key; null: unchanged. An arrow key moves the view, and so the screen in the other direction. */
export function zoomByKey(zoom: Zoom, key: string, frame: Frame): Zoom | null {
  const { width, height } = frame.area
  const [across, down] = [width * KEY_STEP, height * KEY_STEP]
  switch (key) {
    case '+':
    case '=':
      return zoomedTo(zoom, zoom.factor * STEP, { x: 0, y: 0 }, frame)
    case '-':
      return zoomedTo(zoom, zoom.factor / STEP, { x: 0, y: 0 }, frame)
    case '0':
      return FIT
    case 'ArrowLeft':
      return movedBy(zoom, { x: across, y: 0 }, frame)
    case 'ArrowRight':
      return movedBy(zoom, { x: -across, y: 0 }, frame)
    case 'ArrowUp':
      return movedBy(zoom, { x: 0, y: down }, frame)
    case 'ArrowDown':
      return movedBy(zoom, { x: 0, y: -down }, frame)
    default:
      return null
  }
}
