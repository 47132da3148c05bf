import {
  asSent,
  type Box,
  boundsOf,
  type Content,
  encodePoints,
  grown,
  isTouched,
  overlaps,
  SHAPE_KINDS,
  type ShapeKind,
  union,
  type Vector,
} from '@lectern/board'
import { type BoardElement, COORDINATE_MAX, moveContent } from '@lectern/protocol/control/client'
import { newElementId } from '../model/author.ts'
import type { Board } from '../model/board.ts'
import type { Ink } from '../model/live-ink.ts'
import { type Handle, handlesOf } from '../model/resize.ts'
import type { Tool } from '../model/tools.ts'
import type { WrittenText } from '../view/TextField.tsx'
import type { PageCanvas } from './page-canvas.ts'
import type { Gesture, Sample } from './pointers.ts'

interface GesturesParts {
  board: Board
  canvas: PageCanvas
  pageId: string
  /** CSS pixels in a unit. */
  pixels: () => number
  /** Opens the field for a new text, or for one that is there. */
  onText: (text: WrittenText) => void
  /** The selected element, if it may be changed. */
  selected: () => BoardElement | null
  /** Called when the selection changes. */
  onSelect: (id: string | null) => void
}

/** Begins what a pointer does with the tool; null: it draws nothing, and moves the page. */
export function beginGesture(parts: GesturesParts, tool: Tool, first: Sample): Gesture | null {
  const at = withinReach(first)
  switch (tool) {
    case 'pen':
    case 'marker':
      return draw(parts, tool === 'pen' ? 'stroke' : 'marker', at)
    case 'eraser':
      return erase(parts, at)
    case 'select':
      return select(parts, at)
    case 'laser':
      return pointAt(parts, at)
    case 'text':
      return write(parts, at)
    default:
      return stretch(parts, tool, at)
  }
}

const withinReach = (sample: Sample): Sample => ({
  ...sample,
  x: Math.min(Math.max(sample.x, -COORDINATE_MAX), COORDINATE_MAX),
  y: Math.min(Math.max(sample.y, -COORDINATE_MAX), COORDINATE_MAX),
})

/** A longer stroke is continued by another one, so that it stays cheap to draw and small enough to be sent. */
const POINTS_MAX = 2_000
/** And so that recordings can wait for it (decision 235). */
const STROKE_MAX_MS = 30_000

function draw({ board, canvas, pageId }: GesturesParts, kind: 'stroke' | 'marker', first: Sample): Gesture {
  const pointOf = ({ x, y, pressure }: Sample) => asSent([x, y, pressure])
  const { color, width } = board.tools
  const begin = (sample: Sample, isContinued = false) => {
    const ink: Ink = { pageId, id: newElementId(), kind, color, width, points: [pointOf(sample)] }
    board.ink.begin(ink)
    canvas.setOwn(ink)
    return { ink, sinceMs: performance.now(), isContinued }
  }
  // Another page may be shown before the stroke ends: it stays on the page where it was begun.
  const unwatch = board.call.board.watch(pageId)
  const finish = () => {
    const { ink, sinceMs, isContinued } = current
    const duration_ms = Math.round(performance.now() - sinceMs)
    const data = { points: encodePoints(ink.points), color, width, duration_ms }
    // By nothing, a marker would be continued by a darker dot.
    if (ink.points.length > 1 || !isContinued) board.author.draw({ kind, data }, ink.id, pageId)
    board.ink.end()
    canvas.setOwn(null)
  }
  let current = begin(first)
  let last = first
  const split = () => {
    finish()
    current = begin(last, true)
  }
  const splitting = setInterval(split, STROKE_MAX_MS)
  const leave = () => {
    clearInterval(splitting)
    unwatch()
  }
  const end = () => {
    finish()
    leave()
  }
  return {
    extend(samples) {
      for (const sample of samples.map(withinReach)) {
        const point = pointOf(sample)
        const [lastX, lastY] = current.ink.points.at(-1) ?? [0, 0]
        if (point[0] === lastX && point[1] === lastY) continue
        current.ink.points.push(point)
        last = sample
        if (current.ink.points.length >= POINTS_MAX) split()
      }
      canvas.setOwn(current.ink)
    },
    end,
    interrupt: end,
    cancel() {
      board.ink.end()
      canvas.setOwn(null)
      leave()
    },
  }
}

/** In CSS pixels. */
const ERASER_RADIUS = 8
/** Elements erased within this time are one step, and one command. */
const ERASE_MS = 100

function erase({ board, pageId, pixels }: GesturesParts, first: Sample): Gesture {
  const radius = ERASER_RADIUS / pixels()
  const touched = new Set<string>()
  let last: Vector = first
  let timer: ReturnType<typeof setTimeout> | undefined
  const erase = () => {
    clearTimeout(timer)
    timer = undefined
    board.author.remove([...touched], pageId)
    touched.clear()
  }
  const pass = (samples: readonly Vector[]) => {
    const isMine = mayChange(board)
    const path = grown([last, ...samples].map(boxOf).reduce(union), radius)
    // An eraser is for what is drawn on an image.
    const elements = board.edits
      .visible(pageId)
      .filter(each => each.kind !== 'image' && isMine(each.author_id) && overlaps(boundsOf(each), path))
    for (const to of samples) {
      for (const each of elements) if (isTouched(each, last, to, radius)) touched.add(each.element_id)
      last = to
    }
    if (touched.size > 0) timer ??= setTimeout(erase, ERASE_MS)
  }
  const cancel = () => {
    clearTimeout(timer)
    touched.clear()
  }
  pass([first])
  return { extend: pass, end: erase, interrupt: erase, cancel }
}

const boxOf = ({ x, y }: Vector): Box => ({ x, y, width: 0, height: 0 })

/** Moderators may change everything, and so may owners on their page; others their own. */
export function mayChange(board: Board): (authorId: string | null) => boolean {
  const state = board.call.get()
  const { isModerator = false, page } = board.get() ?? {}
  const userId = state.is === 'joined' ? state.me.user_id : null
  const isAll = isModerator || (userId !== null && page?.owner_id === userId)
  return authorId => isAll || authorId === userId
}

/** Where there is a text it is changed: another one over it could not be read. */
function write(parts: GesturesParts, { x, y }: Sample): Gesture {
  const element = elementAt(parts, { x, y }, 'text')
  const id = element && { id: element.element_id }
  return {
    extend: () => {},
    end: () => parts.onText({ x: Math.round(x), y: Math.round(y), ...id }),
    cancel: () => {},
  }
}

/** In CSS pixels. */
const REACH = 6

/** The uppermost element at a point that this person may change; of this kind, if one is given. */
function elementAt({ board, pageId, pixels }: GesturesParts, at: Vector, kind?: BoardElement['kind']) {
  const isMine = mayChange(board)
  const isHit = (content: Content) => isTouched(content, at, at, REACH / pixels())
  return board.edits
    .visible(pageId)
    .findLast(each => (kind ?? each.kind) === each.kind && isMine(each.author_id) && isHit(each))
}

function select(parts: GesturesParts, first: Sample): Gesture | null {
  const { board, canvas, onSelect, onText } = parts
  const selected = parts.selected()
  const handle = selected && handleAt(parts, selected, first)
  if (handle) return resize(parts, selected, handle, first)
  const element = elementAt(parts, first)
  onSelect(element?.element_id ?? null)
  if (!element) return null
  let [dx, dy] = [0, 0]
  return {
    extend(samples) {
      const last = samples.at(-1) ?? first
      dx = Math.round(last.x - first.x)
      dy = Math.round(last.y - first.y)
      const content = moveContent(element, dx, dy)
      canvas.setPreview(content, element.element_id)
      canvas.setSelection(content)
    },
    end() {
      canvas.setPreview(null)
      if (dx !== 0 || dy !== 0) board.author.move([element.element_id], dx, dy)
      // A second press on a text writes in it.
      else if (element.kind === 'text' && selected?.element_id === element.element_id)
        onText({ x: element.data.x, y: element.data.y, id: element.element_id })
    },
    cancel() {
      canvas.setPreview(null)
      onSelect(null)
    },
  }
}

/** How far from a handle it is pressed, in CSS pixels: with fingers, too. */
const HANDLE_REACH = 22

/** The nearest handle. Inside of an element less is for it, so that a small one can still be moved. */
function handleAt({ pixels }: GesturesParts, element: BoardElement, at: Vector): Handle | null {
  const { x, y, width, height } = boundsOf(element)
  const isInside = at.x > x && at.x < x + width && at.y > y && at.y < y + height
  const reach = HANDLE_REACH / pixels()
  const most = isInside ? Math.min(reach, Math.max(width, height) / 4) : reach
  const distance = (handle: Handle) => Math.hypot(handle.x - at.x, handle.y - at.y)
  const [nearest] = handlesOf(element).sort((one, other) => distance(one) - distance(other))
  return nearest && distance(nearest) <= most ? nearest : null
}

function resize(
  { board, canvas, pageId }: GesturesParts,
  element: BoardElement,
  handle: Handle,
  first: Sample,
): Gesture {
  let changes: ReturnType<Handle['to']> | null = null
  return {
    extend(samples) {
      const last = withinReach(samples.at(-1) ?? first)
      // The handle stays below the finger where it was pressed.
      changes = handle.to({ x: handle.x + last.x - first.x, y: handle.y + last.y - first.y })
      const content = { kind: element.kind, data: { ...element.data, ...changes } } as Content
      canvas.setPreview(content, element.element_id)
      canvas.setSelection(content)
    },
    end() {
      canvas.setPreview(null)
      if (changes) board.author.change(element.element_id, changes, pageId)
    },
    cancel() {
      canvas.setPreview(null)
      canvas.setSelection(element)
    },
  }
}

function pointAt({ board, pageId }: GesturesParts, first: Sample): Gesture {
  const point = (at: Vector) => board.laser.point(pageId, at)
  const hide = () => board.laser.point(pageId, null)
  point(first)
  return { extend: samples => point(samples.at(-1) ?? first), end: hide, cancel: hide }
}

/** Shorter in both directions, in units, it was a press. */
const SHAPE_MIN = 4

function stretch({ board, canvas, pageId }: GesturesParts, kind: ShapeKind, first: Sample): Gesture {
  const { color, width } = board.tools
  const { isFilled } = board.tools.get()
  const hasSurface = SHAPE_KINDS.indexOf(kind) >= SHAPE_KINDS.indexOf('rectangle')
  const from = { x1: Math.round(first.x), y1: Math.round(first.y) }
  const contentTo = ({ x, y }: Vector): Content => ({
    kind,
    data: {
      ...from,
      x2: Math.round(x),
      y2: Math.round(y),
      color,
      width,
      ...(isFilled && hasSurface && { fill: color }),
    },
  })
  let last = { x: from.x1, y: from.y1 }
  return {
    extend(samples) {
      last = withinReach(samples.at(-1) ?? first)
      canvas.setPreview(contentTo(last))
    },
    end() {
      canvas.setPreview(null)
      const isPress = Math.abs(last.x - from.x1) < SHAPE_MIN && Math.abs(last.y - from.y1) < SHAPE_MIN
      if (!isPress) board.author.draw(contentTo(last), undefined, pageId)
    },
    cancel: () => canvas.setPreview(null),
  }
}
