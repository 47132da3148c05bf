import type { Size } from '@lectern/worker-kit'
import { FRAME_MS } from '../compose/video-format.ts'
import type { LogLine } from '../session/log-reader.ts'
import { LogTail } from '../session/log-tail.ts'
import { type Images, picturesOf } from './board-images.ts'
import { BoardState } from './board-state.ts'
import { BoardUse, type Use } from './board-use.ts'
import type { GrowingStroke, PageCanvas } from './page-canvas.ts'
import { elementsIn, partAt } from './stroke-growth.ts'

/** A picture of the board, and the frame of the scene that shows it first. */
export interface BoardPicture {
  frame: number
  /** Until the next picture: a scene may have a hundred and more, of a megabyte each. */
  i420: Buffer
}

/** The board is drawn five times a second. */
const STEP_FRAMES = 5

/** The pictures of the board in a recording, in the order of its chunks, from the log of the board. */
export class BoardPictures {
  readonly #tail: LogTail
  readonly #images: Images
  /** At the end of the last chunk. */
  readonly #state = new BoardState()
  /** Later lines, as far as they are known. */
  readonly #lines: LogLine[] = []
  readonly #use = new BoardUse()
  /** The last one before those lines, and theirs. */
  #uses: Use[] = []
  #canvas: { size: string; canvas: PageCanvas } | null = null

  constructor(file: string, images: Images) {
    this.#tail = new LogTail(file)
    this.#images = images
  }

  /** Reads what was logged before that time, which is after the chunk, so that the end of a stroke is known while it grows. */
  read(beforeMs: number): void {
    for (let line = this.#tail.next(beforeMs); line; line = this.#tail.next(beforeMs)) {
      this.#lines.push(line)
      const use = this.#use.next(line)
      if (use) this.#uses.push(use)
    }
  }

  /** Everything before that time is recorded. */
  release(beforeMs: number): void {
    while (this.#lines[0] && this.#lines[0].at_ms <= beforeMs)
      this.#state.apply(this.#lines.shift() as LogLine)
    const last = this.#lastUse(beforeMs)
    this.#uses = [...(last ? [last] : []), ...this.#uses.filter(({ atMs }) => atMs > beforeMs)]
  }

  /** The times in this range at which the board may appear or disappear. */
  changeTimes(fromMs: number, toMs: number): number[] {
    return this.#uses.map(({ atMs }) => atMs).filter(atMs => atMs > fromMs && atMs < toMs)
  }

  /** Whether the board has the large tile: the one that was begun last has it, board or screen. */
  isLarge(atMs: number, screenSinceMs: number | null): boolean {
    const last = this.#lastUse(atMs)
    return last?.isOpen === true && (screenSinceMs === null || last.atMs >= screenSinceMs)
  }

  /** The changes in a scene of this many frames, beginning with its first frame. */
  async *pictures(fromMs: number, frames: number, { width, height }: Size): AsyncGenerator<BoardPicture> {
    const canvas = await this.#canvasOf({ width, height })
    const state = new BoardState(this.#state)
    let isFirst = true
    let next = 0
    for (let frame = 0; frame < frames; frame += STEP_FRAMES) {
      const atMs = fromMs + frame * FRAME_MS
      for (; (this.#lines[next]?.at_ms ?? Number.POSITIVE_INFINITY) <= atMs; next++)
        state.apply(this.#lines[next] as LogLine)
      const page = state.shownPage
      if (!page) continue
      const growing = this.#growing(page.page_id, atMs, next)
      const elements = state.elementsOf(page.page_id)
      await this.#images.fetch(picturesOf(page, elements.values()))
      const isNew = await canvas.show(page, elements, growing)
      if (isNew || isFirst) yield { frame, i420: canvas.i420 }
      isFirst = false
    }
  }

  /** Strokes of the page that are stored later, and were begun. */
  #growing(pageId: string, atMs: number, from: number): GrowingStroke[] {
    const growing: GrowingStroke[] = []
    for (let index = from; index < this.#lines.length; index++) {
      const line = this.#lines[index] as LogLine
      if (line.body.page_id !== pageId) continue
      for (const element of elementsIn(line)) {
        const part = partAt(line, element, atMs)
        if (part > 0 && element.version === 1) growing.push({ element, part })
      }
    }
    return growing
  }

  /** The last one until that time. */
  #lastUse(atMs: number): Use | null {
    return this.#uses.reduce<Use | null>(
      (last, each) => (each.atMs <= atMs && (last === null || each.atMs >= last.atMs) ? each : last),
      null,
    )
  }

  async #canvasOf(size: Size): Promise<PageCanvas> {
    const key = `${size.width}x${size.height}`
    if (this.#canvas?.size === key) return this.#canvas.canvas
    const { PageCanvas } = await import('./page-canvas.ts') // Skia is loaded for boards only
    const canvas = new PageCanvas(size.width, size.height, this.#images)
    this.#canvas = { size: key, canvas }
    return canvas
  }
}
