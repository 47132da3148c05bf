import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compareElements } from '@lectern/protocol/control/client'
import type { Artifact } from '../profiles/profile.ts'
import type { PageChapter } from '../report/chapters.ts'
import { linesOf } from '../session/log-reader.ts'
import { type Images, picturesOf } from './board-images.ts'
import { BoardState } from './board-state.ts'
import type { LastPage } from './page-files.ts'

/** A page that was shown for less is no chapter. */
const CHAPTER_MIN_MS = 2_000
const CHAPTERS_MAX = 100

/** The files of the board in a recording: the pages that were shown and have content, as they were at the end. */
export interface BoardFiles {
  artifacts: Artifact[]
  chapters: PageChapter[]
}

interface Options {
  startedAtMs: number
  endedAtMs: number
  images: Images
  /** A file could not be drawn. */
  onFailure(path: string, error: unknown): void
}

/**
 * Writes board/page-NN.png, board.pdf and board.json; nothing if it was not opened, or is empty. What cannot be drawn is left out,
 * so that nothing that somebody has drawn costs the recording.
 */
export async function writeBoardFiles(
  log: string,
  folder: string,
  { startedAtMs, endedAtMs, images, onFailure }: Options,
): Promise<BoardFiles> {
  const { state, shown } = readBoard(log, endedAtMs)
  const pages = lastPages(state, new Set(shown.map(({ pageId }) => pageId)))
  if (pages.length === 0) return { artifacts: [], chapters: [] }
  const { documentOf, pictureOf } = await import('./page-files.ts') // Skia is loaded for boards only
  for (const { page, elements } of pages) await images.fetch(picturesOf(page, elements))
  await mkdir(join(folder, 'board'))
  const artifacts: Artifact[] = []
  const write = async (path: string, contentType: string, draw: () => Promise<Uint8Array>) => {
    const content = await draw().catch(error => {
      onFailure(path, error)
      return null
    })
    if (!content) return
    await writeFile(join(folder, path), content)
    artifacts.push({ path, contentType })
  }
  for (const [index, each] of pages.entries()) {
    const path = `board/page-${String(index + 1).padStart(2, '0')}.png`
    await write(path, 'image/png', () => pictureOf(each, images))
  }
  await write('board.pdf', 'application/pdf', () => documentOf(pages, images))
  const numbers = new Map(pages.map(({ page }, index) => [page.page_id, index + 1]))
  const body = pages.map(({ page, elements }) => ({ ...page, elements }))
  const time = { started_at_ms: startedAtMs, ended_at_ms: endedAtMs }
  const json = { format: 'lectern.recording.board.1', ...time, pages: body }
  await writeFile(join(folder, 'board.json'), `${JSON.stringify(json)}\n`)
  return {
    artifacts: [...artifacts, { path: 'board.json', contentType: 'application/json' }],
    chapters: chaptersOf(shown, numbers, startedAtMs, endedAtMs),
  }
}

interface Shown {
  /** Null: the board is closed. */
  pageId: string | null
  atMs: number
}

/** The board at the end, and which pages were shown since when. */
function readBoard(log: string, endedAtMs: number): { state: BoardState; shown: Shown[] } {
  const state = new BoardState()
  const shown: Shown[] = []
  for (const line of linesOf(log)) {
    if (line.at_ms > endedAtMs) break
    state.apply(line)
    const pageId = state.shownPage?.page_id ?? null
    if (pageId !== (shown.at(-1)?.pageId ?? null)) shown.push({ pageId, atMs: line.at_ms })
  }
  return { state, shown }
}

const lastPages = (state: BoardState, shown: ReadonlySet<string | null>): LastPage[] =>
  state.pages
    .filter(({ page_id }) => shown.has(page_id))
    .map(page => ({ page, elements: [...state.elementsOf(page.page_id).values()].sort(compareElements) }))
    .filter(({ page, elements }) => elements.length > 0 || 'file_id' in page.background)

function chaptersOf(
  shown: readonly Shown[],
  numbers: ReadonlyMap<string, number>,
  startedAtMs: number,
  endedAtMs: number,
): PageChapter[] {
  const position = (atMs: number) => Math.max(0, Math.round(Math.min(atMs, endedAtMs) - startedAtMs))
  const chapters = shown.flatMap(({ pageId, atMs }, index): PageChapter[] => {
    const page = pageId === null ? undefined : numbers.get(pageId)
    const to_ms = position(shown[index + 1]?.atMs ?? endedAtMs)
    return page === undefined ? [] : [{ kind: 'page', from_ms: position(atMs), to_ms, page }]
  })
  return chapters
    .filter(({ from_ms, to_ms }) => to_ms - from_ms >= CHAPTER_MIN_MS)
    .sort((a, b) => b.to_ms - b.from_ms - (a.to_ms - a.from_ms))
    .slice(0, CHAPTERS_MAX)
}
