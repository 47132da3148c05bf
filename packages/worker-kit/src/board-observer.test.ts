import { Emitter } from '@lectern/common'
import type { ControlClient } from '@lectern/control-client'
import type { BoardIndex, BoardPage } from '@lectern/protocol/control/client'
import { expect, it } from 'vitest'
import { BoardObserver } from './board-observer.ts'
import type { BoardListener } from './ports.ts'

const page = (page_id: string): BoardPage => ({
  page_id,
  width: 1600,
  height: 900,
  background: { kind: 'blank' },
})
const index = (shown: string, ...pages: string[]): BoardIndex => ({
  pages: pages.map(page),
  shown_page_id: shown,
  rights: { mode: 'everybody' },
})

/** A client in a session with this board. */
function createClient(board: BoardIndex) {
  const watched: string[] = []
  const changed = new Emitter<void>()
  const signals = new Emitter<object>()
  const view = { board }
  const client = {
    command: async (name: string, _: unknown, { page_id }: { page_id: string }) => {
      if (name === 'board.watch') watched.push(page_id)
      return {}
    },
    forgetStream: () => {},
    onEvent: new Emitter().on,
    onSignal: signals.on,
    onSnapshot: new Emitter().on,
    onStreamRemoved: new Emitter().on,
    session: () => ({ get: () => view, subscribe: changed.on }),
  } as unknown as ControlClient
  return {
    client,
    watched,
    signal: (signal: object) => signals.emit(signal),
    show(next: BoardIndex) {
      view.board = next
      changed.emit()
    },
  }
}

const settle = async () => {
  for (let i = 0; i < 20; i++) await Promise.resolve()
}
const listener: BoardListener = { changed: () => {}, opened: () => {}, happened: () => {} }

it('follows the pages that were shown, also on another connection, without those that are gone', async () => {
  const before = createClient(index('page0001', 'page0001', 'page0002', 'page0003'))
  const first = new BoardObserver(before.client, '42', listener)
  for (const shown of ['page0002', 'page0003']) before.show(index(shown, 'page0001', 'page0002', 'page0003'))
  await settle()
  const former = first.pageIds
  first.close()
  const after = createClient(index('page0003', 'page0001', 'page0003', 'page0004'))
  const second = new BoardObserver(after.client, '42', listener, former)
  await settle()
  expect([before.watched, after.watched]).toEqual([
    ['page0001', 'page0002', 'page0003'],
    ['page0001', 'page0003'],
  ])
  expect(second.pageIds).toEqual(['page0001', 'page0003'])
})

it('reports the strokes that are drawn on pages that were shown', async () => {
  const { client, signal } = createClient(index('page0001', 'page0001', 'page0002'))
  const inked: string[] = []
  const observer = new BoardObserver(client, '42', {
    ...listener,
    inked: (pageId, elementId, points) => inked.push(`${pageId} ${elementId} ${points}`),
  })
  await settle()
  const body = { element_id: 'stroke-01', first_index: 50, points: [1, 2, 0, 5, 5, 0] }
  signal({ streamId: 'page:42.page0001', name: 'board.pointer', body })
  signal({ streamId: 'page:42.page0002', name: 'board.ink', body })
  signal({ streamId: 'page:42.page0001', name: 'board.ink', body })
  observer.close()
  signal({ streamId: 'page:42.page0001', name: 'board.ink', body })
  expect(inked).toEqual(['page0001 stroke-01 52'])
})
