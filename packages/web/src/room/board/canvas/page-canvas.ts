import { type Box, type Content, fontOf, overlaps, paintedBoundsOf, union } from '@lectern/board'
import { type BoardElement, type BoardPage, compareElements } from '@lectern/protocol/control/client'
import { type FilePage, filePageOf } from '../files/pictures.ts'
import type { Board } from '../model/board.ts'
import type { Ink } from '../model/live-ink.ts'
import { paintBackground, paintContent, prepare } from './painter.ts'
import { WetLayer } from './wet-layer.ts'

/** The opacity of an element that the server has not confirmed for a while. */
const SLOW_OPACITY = 0.45
/** The width and height of a bitmap, in pixels. */
const BITMAP_MAX = 4_096

/** The state of an element on the canvas, to see whether it has to be drawn again. */
interface Drawn {
  key: string
  box: Box
}

/**
 * A page on two canvases: a bitmap of what is stored, of which only what changes is drawn again, and above it the strokes
 * that are being drawn. React knows nothing about it.
 */
export class PageCanvas {
  readonly #board: Board
  readonly #base: CanvasRenderingContext2D
  readonly #wet: CanvasRenderingContext2D
  readonly #wetLayer: WetLayer
  readonly #stop: (() => void)[]
  readonly #drawn = new Map<string, Drawn>()
  #page: BoardPage | null = null
  #order: BoardElement[] = []
  #isOrderStale = false
  /** The area to draw again; the added elements are new and above all others. */
  #dirty: Box | 'all' | null = null
  #added: BoardElement[] = []
  #isWetDirty = false
  #frame = 0
  /** Pixels in a unit. */
  #scale = 1
  /** The element that is being moved: its preview is shown instead. */
  #movedId: string | null = null
  /** The text that is being changed: its field is shown instead. */
  #writtenId: string | null = null

  constructor(board: Board, base: HTMLCanvasElement, wet: HTMLCanvasElement) {
    this.#board = board
    this.#base = contextOf(base, { alpha: false })
    this.#wet = contextOf(wet, { desynchronized: true })
    this.#wetLayer = new WetLayer(board, this.#wet)
    const wetChanged = () => this.#wetChanged()
    // Before the first text is measured.
    document.fonts.load(fontOf(1)).catch(() => {})
    this.#stop = [
      board.edits.onChange(({ pageId, ids }) => pageId === this.#page?.page_id && this.#update(ids)),
      board.ink.onChange(wetChanged),
      board.laser.onChange(wetChanged),
      board.pictures.onChange(page => this.#onPicture(page)),
      // While the line brings the others of a full page, which are shown together.
      board.call.board.onArriving(elements => elements.forEach(prepare)),
    ]
  }

  close(): void {
    for (const stop of this.#stop) stop()
    cancelAnimationFrame(this.#frame)
  }

  /** The page, and the pixels of its width. */
  show(page: BoardPage, width: number): void {
    const most = BITMAP_MAX / Math.max(page.width, page.height)
    const scale = Math.min(width / page.width, most)
    const size = [Math.round(page.width * scale), Math.round(page.height * scale)] as const
    const { canvas } = this.#base
    const isSamePage = page.page_id === this.#page?.page_id
    const isSameBackground = JSON.stringify(page.background) === JSON.stringify(this.#page?.background)
    this.#page = page
    if (isSamePage && isSameBackground && canvas.width === size[0] && canvas.height === size[1]) return
    this.#scale = scale
    for (const context of [this.#base, this.#wet]) {
      ;[context.canvas.width, context.canvas.height] = size
      context.setTransform(scale, 0, 0, scale, 0, 0)
    }
    this.#update(null)
    this.#wetChanged()
  }

  /** The own stroke, which grows; null: none. */
  setOwn(ink: Ink | null): void {
    this.#wetLayer.own = ink
    this.#wetChanged()
  }

  /** A shape that is being drawn, or the element with this id, which is being moved. */
  setPreview(content: Content | null, movedId: string | null = null): void {
    this.#wetLayer.preview = content
    if (movedId !== this.#movedId) {
      for (const id of [movedId, this.#movedId]) this.#addDirty(this.#drawn.get(id ?? '')?.box)
      this.#movedId = movedId
    }
    this.#wetChanged()
  }

  /** Null: no text is being changed. */
  setWritten(id: string | null): void {
    for (const each of [id, this.#writtenId]) this.#addDirty(this.#drawn.get(each ?? '')?.box)
    this.#writtenId = id
    this.#schedule()
  }

  /** Null: nothing is selected. */
  setSelection(content: Content | null): void {
    this.#wetLayer.selection = content
    this.#wetChanged()
  }

  #wetChanged = (): void => {
    this.#isWetDirty = true
    this.#schedule()
  }

  #update(ids: readonly string[] | null): void {
    const page = this.#page
    if (!page) return
    if (ids === null) {
      this.#dirty = 'all'
      this.#isOrderStale = true
      this.#schedule()
      return
    }
    for (const id of ids) this.#updateElement(page.page_id, id)
    this.#isWetDirty = true
    this.#schedule()
  }

  #updateElement(pageId: string, id: string): void {
    const { edits } = this.#board
    const element = edits.get(pageId, id)
    const key = element ? keyOf(element, edits.isSlow(pageId, id)) : ''
    const before = this.#drawn.get(id)
    if ((before?.key ?? '') === key) return
    const last = this.#order.at(-1)
    const isOnTop =
      !before && !this.#isOrderStale && (!last || !element || compareElements(last, element) < 0)
    if (element) this.#drawn.set(id, { key, box: paintedBoundsOf(element) })
    else this.#drawn.delete(id)
    if (element && isOnTop) {
      this.#order.push(element)
      this.#added.push(element)
      return
    }
    this.#isOrderStale = true
    this.#addDirty(before?.box)
    this.#addDirty(element && paintedBoundsOf(element))
  }

  #addDirty(box: Box | undefined): void {
    if (box && this.#dirty !== 'all') this.#dirty = union(this.#dirty, box)
  }

  /** Another picture of the background or of an image. */
  #onPicture({ fileId, pageNumber }: FilePage): void {
    const page = this.#page
    const background = page && filePageOf(page)
    if (background?.fileId === fileId && background.pageNumber === pageNumber) this.#dirty = 'all'
    for (const each of this.#order)
      if (each.kind === 'image' && each.data.file_id === fileId) this.#addDirty(paintedBoundsOf(each))
    this.#wetChanged()
  }

  #schedule(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0
      this.#paint()
    })
  }

  #paint(): void {
    const page = this.#page
    if (!page) return
    if (this.#isOrderStale) {
      this.#order = this.#board.edits.visible(page.page_id)
      this.#isOrderStale = false
    }
    const added = this.#added.splice(0)
    const dirty = this.#dirty
    this.#dirty = null
    if (dirty === 'all') this.#paintAll(page)
    else if (dirty) this.#paintBox(page, added.map(paintedBoundsOf).reduce(union, dirty))
    else for (const element of added) this.#paintElement(element)
    if (this.#isWetDirty) this.#wetLayer.paint(page.page_id, this.#scale)
    this.#isWetDirty = false
  }

  #paintAll(page: BoardPage): void {
    const { edits } = this.#board
    this.#drawn.clear()
    for (const each of this.#order)
      this.#drawn.set(each.element_id, {
        key: keyOf(each, edits.isSlow(page.page_id, each.element_id)),
        box: paintedBoundsOf(each),
      })
    // Also the last column of pixels, of which the page may have a part only.
    const all = { x: 0, y: 0, width: page.width + 4, height: page.height + 4 }
    paintBackground(this.#base, this.#board.pictures, page, all)
    for (const each of this.#order) this.#paintElement(each)
  }

  #paintBox(page: BoardPage, box: Box): void {
    const context = this.#base
    // Whole pixels, so that no edge remains where two boxes meet.
    const pixel = 1 / this.#scale
    const [x, y] = [Math.floor(box.x / pixel) * pixel - pixel, Math.floor(box.y / pixel) * pixel - pixel]
    const area = { x, y, width: box.width + 4 * pixel, height: box.height + 4 * pixel }
    context.save()
    context.beginPath()
    context.rect(area.x, area.y, area.width, area.height)
    context.clip()
    paintBackground(context, this.#board.pictures, page, area)
    for (const each of this.#order) if (overlaps(paintedBoundsOf(each), area)) this.#paintElement(each)
    context.restore()
  }

  #paintElement(element: BoardElement): void {
    if ([this.#movedId, this.#writtenId].includes(element.element_id)) return
    const isSlow = this.#board.edits.isSlow(this.#page?.page_id ?? '', element.element_id)
    paintContent(this.#base, this.#board.pictures, element, isSlow ? SLOW_OPACITY : 1)
    if (element.kind === 'text') this.#awaitFont(element)
  }

  /** Letters of an alphabet that has not been loaded are drawn again when it is. */
  #awaitFont(element: Extract<BoardElement, { kind: 'text' }>): void {
    const font = fontOf(element.data.size)
    const { text } = element.data
    if (document.fonts.check(font, text)) return
    const redraw = () => {
      this.#addDirty(paintedBoundsOf(element))
      this.#schedule()
    }
    void document.fonts.load(font, text).then(redraw, () => {})
  }
}

const keyOf = ({ version }: BoardElement, isSlow: boolean) => `${version}${isSlow ? ' slow' : ''}`

function contextOf(canvas: HTMLCanvasElement, settings: CanvasRenderingContext2DSettings) {
  const context = canvas.getContext('2d', settings)
  if (!context) throw new Error('The browser has no canvas.')
  return context
}
