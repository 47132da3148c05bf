import {
  type Box,
  decodePoints,
  grown,
  overlaps,
  type PaintContext,
  paintDrawing,
  paintedBoundsOf,
  strokeDrawing,
  union,
} from '@lectern/board'
import { type BoardElement, type BoardPage, compareElements } from '@lectern/protocol/control/client'
import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { CARD } from '../compose/video-format.ts'
import { backgroundOf, type Images, pictureIn } from './board-images.ts'
import { I420Picture } from './i420.ts'
import { paintElement, paintSheet } from './paint-page.ts'

/** The first points of a stroke that is being drawn. */
export interface GrowingStroke {
  element: BoardElement
  /** From 0 to 1. */
  part: number
}

/** Skia rasterizes later, all at once: it does so after this many elements, while others have their turn. */
const AT_ONCE = 100

/**
 * The picture of one page after another in a tile of this size. Only what has changed since the last one is drawn;
 * stored elements have a canvas of their own, below the canvas of growing strokes.
 */
export class PageCanvas {
  readonly #picture: I420Picture
  readonly #stored: SKRSContext2D
  readonly #shown: SKRSContext2D
  readonly #images: Images
  #page: BoardPage | null = null
  /** Whether the picture of the paper is not there yet. */
  #isPaperGrey = false
  /** Images that are not there yet. */
  #grey = new Set<BoardElement>()
  #painted = new Map<string, BoardElement>()
  #growing: Box | null = null
  #scale = 1
  #left = 0
  #top = 0

  constructor(width: number, height: number, images: Images) {
    this.#stored = createCanvas(width, height).getContext('2d')
    this.#shown = createCanvas(width, height).getContext('2d')
    this.#picture = new I420Picture(width, height)
    this.#images = images
  }

  /** Brings the picture up to date. False: nothing is different. */
  async show(
    page: BoardPage,
    elements: ReadonlyMap<string, BoardElement>,
    growing: readonly GrowingStroke[],
  ): Promise<boolean> {
    const isOther = JSON.stringify(page) !== JSON.stringify(this.#page)
    const arrived = await this.#arrived(page)
    let changed = isOther || arrived.paper ? await this.#begin(page) : null
    changed = joined(changed, await this.#store(page, elements, arrived.images))
    const before = this.#growing
    this.#growing = growing.reduce<Box | null>(
      (box, { element }) => union(box, paintedBoundsOf(element)),
      null,
    )
    changed = joined(joined(changed, before), this.#growing)
    if (!changed) return false
    this.#compose(changed, growing)
    this.#read(changed, isOther || arrived.paper)
    return true
  }

  /** The whole picture, as ffmpeg reads it; `show` changes it. */
  get i420(): Buffer {
    return this.#picture.data
  }

  /** The parts of the page that were grey until now and can be drawn. */
  async #arrived(page: BoardPage): Promise<{ paper: boolean; images: ReadonlySet<BoardElement> }> {
    const background = backgroundOf(page)
    const paper = this.#isPaperGrey && background !== null && (await this.#images.load(background)) !== null
    const images = new Set<BoardElement>()
    for (const element of this.#grey) {
      const picture = pictureIn(element)
      if (picture && (await this.#images.load(picture))) images.add(element)
    }
    return { paper, images }
  }

  async #begin(page: BoardPage): Promise<Box> {
    const { width, height } = this.#canvas
    this.#page = page
    this.#painted = new Map()
    this.#grey = new Set()
    this.#scale = Math.min(width / page.width, height / page.height)
    this.#left = (width - page.width * this.#scale) / 2
    this.#top = (height - page.height * this.#scale) / 2
    for (const context of [this.#stored, this.#shown]) {
      context.restore() // of the former page
      context.save()
      context.setTransform(1, 0, 0, 1, 0, 0)
      context.fillStyle = `#${CARD}`
      context.fillRect(0, 0, width, height)
      context.setTransform(this.#scale, 0, 0, this.#scale, this.#left, this.#top)
      // Drawings beside the paper are cut off.
      context.beginPath()
      context.rect(0, 0, page.width, page.height)
      context.clip()
    }
    const all = { x: 0, y: 0, width: page.width, height: page.height }
    this.#isPaperGrey = !(await paintSheet(this.#stored, page, all, this.#images))
    return all
  }

  /** Paints what is stored and not painted yet; and again what is around that which has gone or has changed. */
  async #store(
    page: BoardPage,
    elements: ReadonlyMap<string, BoardElement>,
    arrived: ReadonlySet<BoardElement>,
  ): Promise<Box | null> {
    let again: Box | null = null
    let last: BoardElement | null = null
    for (const [id, element] of this.#painted) {
      if (elements.get(id)?.version === element.version && !arrived.has(element)) {
        if (!last || compareElements(element, last) > 0) last = element
        continue
      }
      this.#painted.delete(id)
      this.#grey.delete(element)
      again = union(again, paintedBoundsOf(element))
    }
    const added = [...elements.values()].filter(({ element_id }) => !this.#painted.has(element_id))
    added.sort(compareElements)
    const onTop: BoardElement[] = []
    for (const element of added) {
      this.#painted.set(element.element_id, element)
      if (last && compareElements(element, last) < 0) again = union(again, paintedBoundsOf(element))
      else onTop.push(element)
    }
    await this.#paint(onTop)
    if (again) await this.#paintAgain(page, grown(again, 1))
    return onTop.reduce<Box | null>((box, element) => union(box, paintedBoundsOf(element)), again)
  }

  async #paintAgain(page: BoardPage, box: Box): Promise<void> {
    const context = this.#stored
    context.save()
    context.beginPath()
    context.rect(box.x, box.y, box.width, box.height)
    context.clip()
    await paintSheet(context, page, box, this.#images)
    const around = [...this.#painted.values()].filter(element => overlaps(paintedBoundsOf(element), box))
    await this.#paint(around.sort(compareElements))
    context.restore()
  }

  async #paint(elements: readonly BoardElement[]): Promise<void> {
    for (const [index, element] of elements.entries()) {
      if (!(await paintElement(this.#stored, element, this.#images))) this.#grey.add(element)
      if (index % AT_ONCE !== AT_ONCE - 1) continue
      this.#stored.getImageData(0, 0, 1, 1)
      await new Promise(setImmediate)
    }
  }

  /** Draws the stored elements, with the growing strokes on top. */
  #compose(box: Box, growing: readonly GrowingStroke[]): void {
    const context = this.#shown
    const { x, y, width, height } = this.#pixelsOf(box)
    context.save()
    context.beginPath()
    context.rect(box.x - 1, box.y - 1, box.width + 2, box.height + 2)
    context.clip()
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.drawImage(this.#stored.canvas as Canvas, x, y, width, height, x, y, width, height)
    context.setTransform(this.#scale, 0, 0, this.#scale, this.#left, this.#top)
    for (const { element, part } of growing) {
      if (element.kind !== 'stroke' && element.kind !== 'marker') continue
      const points = decodePoints(element.data.points)
      const count = Math.max(1, Math.round(points.length * part))
      const { color, width: wide } = element.data
      paintDrawing(context as PaintContext, strokeDrawing(element.kind, points.slice(0, count), color, wide))
    }
    context.restore()
  }

  #read(box: Box, all: boolean): void {
    const { width, height } = this.#canvas
    const pixels = all ? { x: 0, y: 0, width, height } : this.#pixelsOf(box)
    const { x, y } = pixels
    if (pixels.width <= 0 || pixels.height <= 0) return
    const { data } = this.#shown.getImageData(x, y, pixels.width, pixels.height)
    this.#picture.write(data, pixels)
  }

  get #canvas() {
    return this.#stored.canvas
  }

  /** In the picture, with even edges, as every second pixel has its colour. */
  #pixelsOf({ x, y, width, height }: Box): Box {
    const even = (value: number, most: number) => Math.min(Math.max(2 * Math.floor(value / 2), 0), most)
    const { width: most, height: mostHigh } = this.#canvas
    const left = even(this.#left + x * this.#scale - 2, most)
    const top = even(this.#top + y * this.#scale - 2, mostHigh)
    const right = even(this.#left + (x + width) * this.#scale + 4, most)
    const bottom = even(this.#top + (y + height) * this.#scale + 4, mostHigh)
    return { x: left, y: top, width: right - left, height: bottom - top }
  }
}

const joined = (one: Box | null, other: Box | null): Box | null => (other ? union(one, other) : one)
