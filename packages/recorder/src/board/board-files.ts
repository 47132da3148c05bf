import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type PaintContext, paintPaper } from '@lectern/board'
import { type BoardElement, type BoardPage, compareElements } from '@lectern/protocol/control/client'
import { createCanvas, PDFDocument, type SKRSContext2D } from '@napi-rs/canvas'
import type { Artifact } from '../profiles/profile.ts'
import type { PageChapter } from '../report/chapters.ts'
import { linesOf } from '../session/log-reader.ts'
import { BoardState } from './board-state.ts'
import { type Images, paintElement } from './page-canvas.ts'

/** The pictures of pages have this width. */
const PICTURE_WIDTH = 1920
/** A page that was shown for less is no chapter. */
const CHAPTER_MIN_MS = 2_000
const CHAPTERS_MAX = 100

/** What a recording keeps of the board: the pages that were shown and have content, as they were at the end. */
export interface BoardFiles {
  artifacts: Artifact[]
  chapters: PageChapter[]
}

interface LastPage {
  page: BoardPage
  elements: BoardElement[]
}

/** Writes board/page-NN.png, board.pdf and board.json; nothing if nobody used the board. */
export async function writeBoardFiles(
  log: string,
  folder: string,
  { startedAtMs, endedAtMs, images }: { startedAtMs: number; endedAtMs: number; images: Images },
): Promise<BoardFiles> {
  const { state, shown } = readBoard(log, endedAtMs)
  const pages = lastPages(state, new Set(shown.map(({ pageId }) => pageId)))
  if (pages.length === 0) return { artifacts: [], chapters: [] }
  await mkdir(join(folder, 'board'))
  const artifacts: Artifact[] = []
  for (const [index, each] of pages.entries()) {
    const path = `board/page-${String(index + 1).padStart(2, '0')}.png`
    await writeFile(join(folder, path), await pictureOf(each, images))
    artifacts.push({ path, contentType: 'image/png' })
  }
  await writeFile(join(folder, 'board.pdf'), documentOf(pages, images))
  const numbers = new Map(pages.map(({ page }, index) => [page.page_id, index + 1]))
  const body = pages.map(({ page, elements }) => ({ ...page, elements }))
  const time = { started_at_ms: startedAtMs, ended_at_ms: endedAtMs }
  const json = { format: 'lectern.recording.board.1', ...time, pages: body }
  await writeFile(join(folder, 'board.json'), `${JSON.stringify(json)}\n`)
  return {
    artifacts: [
      ...artifacts,
      { path: 'board.pdf', contentType: 'application/pdf' },
      { path: 'board.json', contentType: 'application/json' },
    ],
    chapters: chaptersOf(shown, numbers, startedAtMs, endedAtMs),
  }
}

interface Shown {
  pageId: string
  atMs: number
}

/** The board at the end, and which pages were shown since when. A page counts once somebody used the board. */
function readBoard(log: string, endedAtMs: number): { state: BoardState; shown: Shown[] } {
  const state = new BoardState()
  const shown: Shown[] = []
  for (const line of linesOf(log)) {
    if (line.at_ms > endedAtMs) break
    state.apply(line)
    const pageId = state.index?.shown_page_id
    if (pageId !== undefined && state.activeAtMs !== null && shown.at(-1)?.pageId !== pageId)
      shown.push({ pageId, atMs: line.at_ms })
  }
  return { state, shown }
}

const lastPages = (state: BoardState, shown: ReadonlySet<string>): LastPage[] =>
  (state.index?.pages ?? [])
    .filter(({ page_id }) => shown.has(page_id))
    .map(page => ({ page, elements: [...state.elementsOf(page.page_id).values()].sort(compareElements) }))
    .filter(({ page, elements }) => elements.length > 0 || 'file_id' in page.background)

async function pictureOf({ page, elements }: LastPage, images: Images): Promise<Buffer> {
  const scale = PICTURE_WIDTH / page.width
  const canvas = createCanvas(PICTURE_WIDTH, Math.round(page.height * scale))
  const context = canvas.getContext('2d')
  context.scale(scale, scale)
  paintPage(context, page, elements, images)
  return canvas.encode('png')
}

/** A page of paper for each page of the deck: what is drawn stays sharp, and texts can be searched. */
function documentOf(pages: readonly LastPage[], images: Images): Buffer {
  const document = new PDFDocument({ title: 'Board' })
  for (const { page, elements } of pages) {
    const context = document.beginPage(page.width, page.height) as SKRSContext2D
    paintPage(context, page, elements, images)
    document.endPage()
  }
  return document.close()
}

function paintPage(
  context: SKRSContext2D,
  page: BoardPage,
  elements: readonly BoardElement[],
  images: Images,
): void {
  paintPaper(context as PaintContext, page, { x: 0, y: 0, width: page.width, height: page.height })
  for (const element of elements) paintElement(context, element, images)
}

function chaptersOf(
  shown: readonly Shown[],
  numbers: ReadonlyMap<string, number>,
  startedAtMs: number,
  endedAtMs: number,
): PageChapter[] {
  const position = (atMs: number) => Math.max(0, Math.round(Math.min(atMs, endedAtMs) - startedAtMs))
  const chapters = shown.flatMap(({ pageId, atMs }, index): PageChapter[] => {
    const page = numbers.get(pageId)
    const to_ms = position(shown[index + 1]?.atMs ?? endedAtMs)
    return page === undefined ? [] : [{ kind: 'page', from_ms: position(atMs), to_ms, page }]
  })
  return chapters
    .filter(({ from_ms, to_ms }) => to_ms - from_ms >= CHAPTER_MIN_MS)
    .sort((a, b) => b.to_ms - b.from_ms - (a.to_ms - a.from_ms))
    .slice(0, CHAPTERS_MAX)
}
