import { pinched, zoomedByWheel } from '../../stage/zoom/gestures.ts'
import { type Frame, movedBy, type Point, type Zoom } from '../../stage/zoom/zoom.ts'

/** The position of a pointer, in units of the page. */
export interface Sample {
  x: number
  y: number
  /** From 0 to 1; 0: not measured. */
  pressure: number
}

/** Something that is being drawn, moved or erased by one pointer. */
export interface Gesture {
  extend: (samples: readonly Sample[]) => void
  end: () => void
  /** The gesture was none: another finger followed. */
  cancel: () => void
  /** The page is no longer shown. Without it, the gesture is cancelled. */
  interrupt?: () => void
}

interface PointersParts {
  element: HTMLElement
  frame: () => Frame
  get: () => Zoom
  set: (zoom: Zoom) => void
  /** In units of the page. */
  pointOf: (event: MouseEvent) => Point
  /** Null: the pointer moves the page instead. */
  begin: (sample: Sample, isEraser: boolean) => Gesture | null
  /** The mouse or the pen is over the page without being pressed; null: it has left. */
  hover: (sample: Sample | null) => void
}

/** Fingers are ignored for so long after the pen: it is the palm. */
const PALM_MS = 500
/** A second finger within this time makes a pinch of a stroke. */
const PINCH_MS = 300
const ERASER_BUTTON = 5
const MIDDLE_BUTTON = 1

/** After a pen was seen, fingers do not draw, on no page of this tab. */
let isPenSeen = false

/** For tests. */
export const forgetPen = (): void => {
  isPenSeen = false
}

/**
 * Mouse, pen and fingers on a page, until the signal: one draws, and two fingers zoom. Where a pen is used, fingers move the
 * page, and the palm does nothing.
 */
export function followPointers(parts: PointersParts, signal: AbortSignal): void {
  const { element, frame, get, set, pointOf, begin, hover } = parts
  /** `at`: where the pointer was last, from the middle of the element. */
  let drawing: { pointerId: number; type: string; gesture: Gesture; sinceMs: number; at: Point } | null = null
  const movers = new PageMovers(parts)
  let penAtMs = Number.NEGATIVE_INFINITY

  const sampleOf = (event: PointerEvent): Sample => ({
    ...pointOf(event),
    pressure: event.pointerType === 'pen' ? Math.max(event.pressure, 1 / 255) : 0,
  })

  const middlePoint = ({ clientX, clientY }: MouseEvent): Point => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return { x: clientX - x - width / 2, y: clientY - y - height / 2 }
  }

  const cancel = () => {
    drawing?.gesture.cancel()
    drawing = null
  }

  const finish = () => {
    const gesture = drawing?.gesture
    drawing = null
    gesture?.end()
  }

  const startDrawing = (event: PointerEvent): boolean => {
    finish() // what the mouse draws, when a finger or the pen follows, or a pen whose end was not reported
    const { pointerId, pointerType: type, timeStamp: sinceMs } = event
    const isEraser = event.button === ERASER_BUTTON
    const gesture = begin(sampleOf(event), isEraser)
    if (!gesture) return false
    event.preventDefault() // no selection of text, and the focus stays in the text that is written
    drawing = { pointerId, type, gesture, sinceMs, at: middlePoint(event) }
    return true
  }

  const onPenDown = (event: PointerEvent) => {
    isPenSeen = true
    penAtMs = event.timeStamp
    movers.clear()
    if (drawing?.type === 'touch') cancel()
    startDrawing(event)
  }

  /** Whether the finger does anything. */
  const onFingerDown = (event: PointerEvent): boolean => {
    const { pointerId, timeStamp } = event
    if (drawing?.type === 'pen' || timeStamp - penAtMs < PALM_MS) return false
    if (drawing?.type === 'touch') {
      if (timeStamp - drawing.sinceMs > PINCH_MS) return false
      movers.add(drawing.pointerId, drawing.at)
      cancel()
    } else if (movers.size === 0 && !isPenSeen && startDrawing(event)) return true
    movers.add(pointerId, middlePoint(event))
    return true
  }

  const onMouseDown = (event: PointerEvent) => {
    const isMoving = event.button === MIDDLE_BUTTON || (event.button === 0 && !startDrawing(event))
    if (!isMoving) return
    event.preventDefault()
    movers.add(event.pointerId, middlePoint(event))
  }

  const onDown = (event: PointerEvent) => {
    if (event.target instanceof HTMLTextAreaElement) return // a text is being written there
    if (event.pointerType === 'pen') onPenDown(event)
    else if (event.pointerType !== 'touch') onMouseDown(event)
    else if (!onFingerDown(event)) return
    capture(element, event.pointerId)
  }

  const onMove = (event: PointerEvent) => {
    const { pointerId, pointerType } = event
    if (pointerType === 'pen') penAtMs = event.timeStamp
    if (drawing?.pointerId === pointerId) {
      const all = event.getCoalescedEvents?.() ?? []
      drawing.gesture.extend((all.length > 0 ? all : [event]).map(sampleOf))
      drawing.at = middlePoint(event)
    } else if (movers.has(pointerId)) movers.move(pointerId, middlePoint(event))
    else if (pointerType !== 'touch' && !drawing) hover(sampleOf(event))
  }

  const onUp = (event: PointerEvent) => {
    if (event.pointerType === 'pen') penAtMs = event.timeStamp
    movers.remove(event.pointerId)
    if (drawing?.pointerId !== event.pointerId) return
    const { gesture, type } = drawing
    drawing = null
    // A pen's drawing stays, whatever else the browser does with the pointer.
    if (event.type === 'pointercancel' && type !== 'pen') gesture.cancel()
    else gesture.end()
  }

  const onWheel = (event: WheelEvent) => {
    const isZoomed = get().factor > 1
    if (!event.ctrlKey && !isZoomed) return
    event.preventDefault() // the browser would enlarge the page
    set(
      event.ctrlKey
        ? zoomedByWheel(get(), event.deltaY, middlePoint(event), frame())
        : movedBy(get(), { x: -event.deltaX, y: -event.deltaY }, frame()),
    )
  }

  element.addEventListener('pointerdown', onDown, { signal })
  element.addEventListener('pointermove', onMove, { signal })
  element.addEventListener('pointerleave', () => hover(null), { signal })
  for (const end of ['pointerup', 'pointercancel'] as const) element.addEventListener(end, onUp, { signal })
  element.addEventListener('wheel', onWheel, { signal, passive: false })
  signal.addEventListener('abort', () => {
    const gesture = drawing?.gesture
    drawing = null
    if (gesture) (gesture.interrupt ?? gesture.cancel)()
  })
}

/** Pointers that move the page: one drags it, two zoom it. Positions are from the middle of the element. */
class PageMovers {
  readonly #parts: Pick<PointersParts, 'frame' | 'get' | 'set'>
  readonly #at = new Map<number, Point>()

  constructor(parts: Pick<PointersParts, 'frame' | 'get' | 'set'>) {
    this.#parts = parts
  }

  get size(): number {
    return this.#at.size
  }

  has = (pointerId: number) => this.#at.has(pointerId)
  add = (pointerId: number, at: Point) => void this.#at.set(pointerId, at)
  remove = (pointerId: number) => void this.#at.delete(pointerId)
  clear = () => this.#at.clear()

  move(pointerId: number, at: Point): void {
    const { frame, get, set } = this.#parts
    const before = this.#at.get(pointerId)
    if (!before) return
    const other = [...this.#at].find(([id]) => id !== pointerId)?.[1]
    this.#at.set(pointerId, at)
    if (other) set(pinched(get(), { before, at, other }, frame()))
    else set(movedBy(get(), { x: at.x - before.x, y: at.y - before.y }, frame()))
  }
}

/** The pointer stays with the page outside of it. It may have ended already. */
function capture(element: HTMLElement, pointerId: number): void {
  try {
    element.setPointerCapture(pointerId)
  } catch {
    // Strokes are inside of the page only.
  }
}
