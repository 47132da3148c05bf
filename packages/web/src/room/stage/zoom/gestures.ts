import { DOUBLE, FIT, type Frame, movedBy, type Point, type Zoom, zoomedTo } from './zoom.ts'

/** Two presses within this time and distance are a double tap. */
const DOUBLE_TAP_MS = 350
const DOUBLE_TAP_PX = 24
/** A movement by fewer pixels is a press. */
const PRESS_PX = 8
/** How much a pixel of the wheel enlarges. */
const WHEEL_RATE = 0.01
const WHEEL_MAX = 40

export interface GestureParts {
  element: HTMLElement
  frame: () => Frame
  get: () => Zoom
  set: (zoom: Zoom) => void
}

interface Press extends Point {
  atMs: number
}

/** Pinch, double tap, Ctrl and wheel, and drag on an element, until the signal. */
export function followGestures({ element, frame, get, set }: GestureParts, signal: AbortSignal): void {
  const pointers = new Map<number, Point>()
  let lastTap: Press | null = null
  let press: Press | null = null

  const pointOf = ({ clientX, clientY }: MouseEvent): Point => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return { x: clientX - x - width / 2, y: clientY - y - height / 2 }
  }

  const onTap = (tap: Press) => {
    const isDouble =
      lastTap !== null && tap.atMs - lastTap.atMs < DOUBLE_TAP_MS && distance(tap, lastTap) < DOUBLE_TAP_PX
    lastTap = isDouble ? null : tap
    if (isDouble) set(get().factor > 1 ? FIT : zoomedTo(get(), DOUBLE, tap, frame()))
  }

  const onDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    const at = pointOf(event)
    pointers.set(event.pointerId, at)
    press = pointers.size === 1 ? { ...at, atMs: event.timeStamp } : null
  }

  const onMove = (event: PointerEvent) => {
    const before = pointers.get(event.pointerId)
    if (!before) return
    const at = pointOf(event)
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1]
    pointers.set(event.pointerId, at)
    if (press && distance(at, press) > PRESS_PX) {
      press = null
      // Not before: a captured pointer would not press what lies over the screen.
      element.setPointerCapture(event.pointerId)
    }
    if (other) {
      set(pinched(get(), { before, at, other }, frame()))
    } else if (get().factor > 1 && !press) {
      set(movedBy(get(), { x: at.x - before.x, y: at.y - before.y }, frame()))
    }
  }

  const onUp = (event: PointerEvent) => {
    if (!pointers.delete(event.pointerId)) return
    if (press && event.type === 'pointerup') onTap({ ...pointOf(event), atMs: event.timeStamp })
    press = null
  }

  const onWheel = (event: WheelEvent) => {
    if (!event.ctrlKey) return
    event.preventDefault() // the browser would enlarge the page
    set(zoomedByWheel(get(), event.deltaY, pointOf(event), frame()))
  }

  element.addEventListener('pointerdown', onDown, { signal })
  element.addEventListener('pointermove', onMove, { signal })
  for (const end of ['pointerup', 'pointercancel'] as const) element.addEventListener(end, onUp, { signal })
  element.addEventListener('wheel', onWheel, { signal, passive: false })
}

/** After one of two fingers has moved. */
export function pinched(
  zoom: Zoom,
  { before, at, other }: Readonly<Record<'before' | 'at' | 'other', Point>>,
  frame: Frame,
): Zoom {
  const [from, to] = [middleOf(before, other), middleOf(at, other)]
  const spread = distance(at, other) / Math.max(distance(before, other), 1)
  const zoomed = zoomedTo(zoom, zoom.factor * spread, from, frame)
  return movedBy(zoomed, { x: to.x - from.x, y: to.y - from.y }, frame)
}

/** After the wheel was turned with Ctrl. */
export function zoomedByWheel(zoom: Zoom, delta: number, at: Point, frame: Frame): Zoom {
  const by = Math.exp(-Math.min(Math.max(delta, -WHEEL_MAX), WHEEL_MAX) * WHEEL_RATE)
  return zoomedTo(zoom, zoom.factor * by, at, frame)
}

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y)

const middleOf = (one: Point, other: Point): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 })
