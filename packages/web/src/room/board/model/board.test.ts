import { decodePoints, encodePoints } from '@lectern/board'
import { WritableObservable } from '@lectern/common'
import { type BoardIndex, pageStream } from '@lectern/protocol/control/client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createCallHarness, settle } from '../../../call/testing/call-harness.ts'
import { refuse } from '../../../call/testing/fake-control.ts'
import { StoredValue } from '../../../stored-value.ts'
import { makeStorage } from '../../../testing.ts'
import { beginGesture } from '../canvas/gestures.ts'
import { anIndex, aPage, FakeBoard, PAGE } from '../testing.ts'
import { layoutBoard } from '../view/layout.ts'
import { Board } from './board.ts'

afterEach(() => void vi.useRealTimers())

const STROKE = {
  kind: 'stroke',
  data: {
    points: encodePoints([
      [1, 2, 0],
      [3, 4, 0],
    ]),
    color: '#1c2a2b',
    width: 3,
    duration_ms: 10,
  },
} as const

/** The board of a participant in the session of a fake control channel. */
async function open(parts: Parameters<typeof anIndex>[0] = {}, storage = makeStorage(), tag = 'k7mq') {
  const harness = createCallHarness({ tag })
  const server = new FakeBoard(harness.control)
  await harness.enter()
  server.change(anIndex(parts))
  const stored = (name: string) => new StoredValue(name, () => storage)
  const lookAt = new WritableObservable<string | null>(null)
  const board = new Board(harness.call, lookAt, { tools: stored('tools'), history: stored })
  await settle()
  const visible = (pageId = PAGE) => board.edits.visible(pageId).map(each => each.element_id)
  return { ...harness, server, board, lookAt, visible }
}

it('passes on what arrives of a watched page before the others, and shows nothing of it yet', async () => {
  const { board, server, control, visible } = await open()
  server.put({ element_id: 'stroke-01', version: 1, author_id: '7', z: 1, ...STROKE })
  const element = { element_id: 'stroke-02', version: 1, author_id: '7', z: 2, ...STROKE }
  const arriving: unknown[] = []
  board.call.board.onArriving(elements => arriving.push(elements))
  for (const page of [PAGE, 'page0002'])
    control.emitPart(pageStream('1', page), { page_id: page, elements: [element] } as never)
  expect([arriving, visible()]).toEqual([[[element]], ['stroke-01']])
})

describe('what somebody draws', () => {
  it('is visible at once, and once when it is stored', async () => {
    const { board, server, visible } = await open()
    const id = board.author.draw(STROKE)
    expect(visible()).toEqual([id])
    await settle()
    expect([visible(), [...server.page().keys()], board.edits.isSaved]).toEqual([[id], [id], true])
  })

  it('stays on the page where it was begun, and is undone there, when another page is shown meanwhile', async () => {
    const other = aPage('page0002')
    const { board, lookAt, control } = await open({ pages: [aPage(), other] })
    lookAt.set('page0002')
    await settle()
    board.author.draw(STROKE, undefined, PAGE)
    await settle()
    expect(control.bodies('board.put')).toMatchObject([{ page_id: PAGE }])
    expect(board.author.get().canUndo).toBe(false)
    lookAt.set(PAGE)
    expect(board.author.get().canUndo).toBe(true)
  })

  it('is continued by another stroke after 30 s, and takes until the pen leaves the page', async () => {
    const { board } = await open()
    vi.useFakeTimers()
    const strokes = () =>
      board.edits.visible(PAGE).map(({ data }) => {
        const { points, duration_ms } = data as typeof STROKE.data
        return [decodePoints(points).map(([x]) => x), duration_ms]
      })
    const at = (x: number) => ({ x, y: 5, pressure: 0 })
    const parts = { board, pageId: PAGE, canvas: { setOwn: () => {} } }
    const pen = beginGesture(parts as never, 'pen', at(1))
    pen?.extend([at(2)])
    vi.advanceTimersByTime(40_000)
    expect(strokes()).toEqual([[[1, 2], 30_000]])
    pen?.extend([at(3)])
    vi.advanceTimersByTime(1_000)
    pen?.end()
    expect(strokes()).toEqual([
      [[1, 2], 30_000],
      [[2, 3], 11_000],
    ])
    // A pen that only rests adds nothing.
    const resting = beginGesture(parts as never, 'marker', at(4))
    vi.advanceTimersByTime(70_000)
    resting?.end()
    vi.advanceTimersByTime(70_000)
    expect(strokes()).toHaveLength(3)
  })

  it('is sent again with the same id and version when nothing is known of its effect', async () => {
    const { board, server, control } = await open()
    const put = control.handlers['board.put']
    let attempts = 0
    control.handlers['board.put'] = (body, target) => {
      if (++attempts < 3) refuse('outcome_unknown')
      return put?.(body, target)
    }
    const id = board.author.draw(STROKE)
    await settle()
    expect(control.bodies('board.put').map(each => [each.element_id, each.version])).toEqual(
      Array(3).fill([id, 1]),
    )
    expect([...server.page().keys()]).toEqual([id])
  })

  it('is drawn lighter after two seconds without an answer', async () => {
    const { board, control } = await open()
    vi.useFakeTimers()
    control.handlers['board.put'] = () => new Promise(() => {})
    const id = board.author.draw(STROKE)
    vi.advanceTimersByTime(1_900)
    expect(board.edits.isSlow(PAGE, id)).toBe(false)
    vi.advanceTimersByTime(200)
    expect(board.edits.isSlow(PAGE, id)).toBe(true)
  })

  it('disappears when it is refused, and cannot be undone', async () => {
    const { board, server, visible } = await open()
    server.refusal = 'page_full'
    const reasons: string[] = []
    board.edits.onRefused(({ reason }) => reasons.push(reason))
    board.author.draw(STROKE)
    await settle()
    expect([visible(), reasons, board.author.get().canUndo]).toEqual([[], ['page_full'], false])
  })

  it('concerns its page alone, also where a copy of it has the same elements', async () => {
    const copy = aPage('copy0001', { owner_id: '7', copy_of: PAGE })
    const { board, call, control, server, visible } = await open({ pages: [aPage(), copy] })
    call.board.watch('copy0001')
    for (const id of [PAGE, 'copy0001'])
      server.put({ ...STROKE, element_id: 'in-both', version: 1, author_id: '7', z: 1 }, id)
    await settle()
    control.handlers['board.move'] = () => new Promise(() => {})
    control.handlers['board.delete'] = () => new Promise(() => {})
    board.author.move(['in-both'], 10, 0)
    board.author.remove(['in-both'], 'copy0001')
    expect([visible(), visible('copy0001')]).toEqual([['in-both'], []])
    expect(board.edits.get(PAGE, 'in-both')?.version).toBe(2)
  })

  it('gives way to a later version of somebody else', async () => {
    const { board, server } = await open()
    const id = board.author.draw(STROKE)
    await settle()
    const drawn = server.page().get(id)
    if (drawn?.kind !== 'stroke') throw new Error('a stroke was expected')
    server.put({ ...drawn, version: 5, data: { ...drawn.data, color: '#ff0000' } })
    expect(board.edits.get(PAGE, id)?.data).toMatchObject({ color: '#ff0000' })
    board.author.change(id, { color: '#00ff00' })
    expect(board.edits.get(PAGE, id)?.version).toBe(6)
  })
})

describe('a page', () => {
  it('is watched again by who was not inside for a moment', async () => {
    const { call, control, server, visible } = await open()
    const watched = () => control.bodies('board.watch').length
    call.board.watch(PAGE)
    expect(watched()).toBe(1)
    control.emitEvent('participant.left', { participant_id: 'p1', reason: 'lost' })
    // Changes that the server has published meanwhile did not arrive.
    server.page().set('of-others', { ...STROKE, element_id: 'of-others', version: 1, author_id: '8', z: 9 })
    await settle()
    expect(watched()).toBe(2)
    expect(visible()).toEqual(['of-others'])
  })
})

describe('a page that the server refuses', () => {
  it('is watched when another one is no longer watched, and when rights change', async () => {
    const { call, control, server } = await open({ pages: [aPage(), aPage('page0002')] })
    const watch = control.handlers['board.watch']
    const pages = () => control.bodies('board.watch').map(({ page_id }) => page_id)
    control.handlers['board.watch'] = () => refuse('resource_exhausted', 'too_many_watched_pages')
    call.board.watch('page0002')
    const release = call.board.watch('page0003')
    await settle()
    expect(pages()).toEqual([PAGE, 'page0002', 'page0003'])
    release()
    await settle()
    expect(pages().slice(3)).toEqual(['page0002'])
    if (watch) control.handlers['board.watch'] = watch
    server.change({ rights: { mode: 'everybody', look_around: true } })
    await settle()
    expect(pages().slice(4)).toEqual(['page0002'])
    expect(call.board.page('page0002')).not.toBeNull()
  })
})

describe('ink', () => {
  it('reaches the others soon after a stroke begins, then at most ten times a second', async () => {
    const { board, control } = await open()
    vi.useFakeTimers()
    const inkOf = (id: string) =>
      control.signals.filter(each => each.name === 'board.ink' && each.body.element_id === id)
    const ink = (id: string) => ({
      ...{ pageId: PAGE, id, kind: 'stroke', color: '#1c2a2b', width: 3 },
      points: [[1, 2, 0]] as [number, number, number][],
    })
    const first = { ...ink('stroke-1'), kind: 'stroke' as const }
    board.ink.begin(first)
    vi.advanceTimersByTime(20)
    expect(inkOf('stroke-1')).toHaveLength(1)
    for (let at = 0; at < 100; at++) {
      first.points.push([at, at, 0])
      vi.advanceTimersByTime(10)
    }
    expect(inkOf('stroke-1')).toHaveLength(11)
    expect(inkOf('stroke-1')[1]?.body.first_index).toBe(1)
    // The others would forget a stroke whose pen rests.
    vi.advanceTimersByTime(10_000)
    expect(inkOf('stroke-1').length).toBeLessThanOrEqual(17)
    expect(inkOf('stroke-1').at(-1)?.body).toMatchObject({ first_index: 100, points: [990, 990, 0] })
    first.points.push([5, 6, 0])
    vi.advanceTimersByTime(100)
    expect(inkOf('stroke-1').at(-1)?.body).toMatchObject({ first_index: 101, points: [50, 60, 0] })
    board.ink.end()
    // Another stroke waits for its turn.
    board.ink.begin({ ...ink('stroke-2'), kind: 'stroke' })
    vi.advanceTimersByTime(70)
    expect(inkOf('stroke-2')).toHaveLength(0)
    vi.advanceTimersByTime(30)
    expect(inkOf('stroke-2')).toHaveLength(1)
  })
})

describe('the laser pointer', () => {
  it('is reported ten times a second while it moves, again and again while it rests, and when it is gone', async () => {
    const { board, control } = await open()
    vi.useFakeTimers()
    const positions = () =>
      control.signals.filter(({ name }) => name === 'board.pointer').map(({ body }) => body.position)
    for (let x = 0; x < 100; x++) {
      board.laser.point(PAGE, { x, y: 5 })
      vi.advanceTimersByTime(10)
    }
    vi.advanceTimersByTime(100)
    expect(positions().length).toBeLessThanOrEqual(11)
    expect(positions().at(-1)).toEqual({ x: 99, y: 5 })
    const moved = positions().length
    // The others forget after two seconds what they do not hear of.
    vi.advanceTimersByTime(10_000)
    expect(positions().length - moved).toBe(10)
    board.laser.point(PAGE, null)
    expect(positions().at(-1)).toBeNull()
    vi.advanceTimersByTime(10_000)
    expect(positions().length - moved).toBe(11)
  })
})

describe('ink of others', () => {
  const signal = async (count: number, sourceId = '8', id = 'of-others') => {
    const opened = await open()
    const { control, board } = opened
    const points = Array(50).fill([1, 0, 0]).flat()
    const body = { element_id: id, kind: 'stroke', color: '#1c2a2b', width: 3, first_index: 0, points }
    const send = (from: string) => control.emitSignal('board.ink', from, body, 1_000, `page:1.${PAGE}`)
    for (let i = 0; i < count; i++) send(sourceId)
    return { board, send, length: () => board.ink.others(PAGE)[0]?.points.length }
  }

  it('is continued by who has begun it alone', async () => {
    const { send, length } = await signal(1)
    send('9')
    expect(length()).toBe(50)
    send('8')
    expect(length()).toBe(100)
  })

  it('grows no longer than what can be drawn again in every frame', async () => {
    const { board, length } = await signal(100)
    expect(length()).toBe(2_000)
    board.close()
  })
})

describe('undo and redo', () => {
  it('leave what others have drawn', async () => {
    const { board, server, visible } = await open()
    const own = board.author.draw(STROKE)
    server.put({ ...STROKE, element_id: 'of-others', version: 1, author_id: '8', z: 9 })
    board.author.undo()
    await settle()
    expect(visible()).toEqual(['of-others'])
    board.author.redo()
    await settle()
    expect(visible().sort()).toEqual([own, 'of-others'].sort())
  })

  it('bring back what was moved and changed', async () => {
    const { board, server } = await open()
    const id = board.author.draw(STROKE)
    board.author.move([id], 10, 20)
    board.author.change(id, { color: '#0062b1' })
    board.author.undo()
    board.author.undo()
    await settle()
    expect(server.page().get(id)).toMatchObject({ version: 5, data: STROKE.data })
  })

  it('concern the present conference, also after another one in the same tab', async () => {
    const storage = makeStorage()
    const { board } = await open({}, storage)
    board.author.draw(STROKE)
    await settle()
    const canUndo = async (tag: string) => (await open({}, storage, tag)).board.author.get().canUndo
    expect([await canUndo('k7mq'), await canUndo('other')]).toEqual([true, false])
  })

  it('concern the present page', async () => {
    const { board, server, visible } = await open({ pages: [aPage(), aPage('page0002')] })
    board.author.draw(STROKE)
    server.change({ shown_page_id: 'page0002' })
    await settle()
    expect(board.author.get().canUndo).toBe(false)
    board.author.undo()
    expect(visible(PAGE)).toEqual([]) // not watched any more
    expect(server.kinds()).toEqual(['stroke'])
    server.change({ shown_page_id: PAGE })
    await settle()
    expect(board.author.get().canUndo).toBe(true)
  })
})

describe('a board', () => {
  it('shows the page that this person has chosen, else that of everybody, else none', async () => {
    const own = aPage('own00001', { owner_id: '7' })
    const { board, server, lookAt } = await open({ pages: [aPage(), own] })
    const shown = () => board.get()?.page.page_id
    expect(shown()).toBe(PAGE)
    lookAt.set('own00001')
    expect([shown(), board.get()?.isShown]).toEqual(['own00001', false])
    server.change({ shown_page_id: null })
    expect(shown()).toBe('own00001')
    lookAt.set(null)
    expect(board.get()).toBeNull()
  })

  it.each<[BoardIndex['rights'], boolean, boolean]>([
    [{ mode: 'everybody' }, true, true],
    [{ mode: 'chosen', user_ids: ['7'] }, true, true],
    [{ mode: 'chosen', user_ids: ['8'] }, false, true],
    [{ mode: 'moderators' }, false, true],
    [{ mode: 'nobody' }, false, false],
  ])(
    'permits a participant with %o to draw on the page: %s, and on the own copy: %s',
    async (rights, ...expected) => {
      const own = aPage('own00001', { owner_id: '7' })
      const { board, lookAt } = await open({ pages: [aPage(), own], rights })
      const mayDraw = () => board.get()?.mayDraw
      const onPage = mayDraw()
      lookAt.set('own00001')
      expect([onPage, mayDraw()]).toEqual(expected)
    },
  )
})

describe('the layout of the board', () => {
  it.each([
    [1_100, 640, 'beside', false],
    [1_000, 420, 'beside', true],
    [390, 330, 'below', true],
    [700, 290, 'beside', true],
  ] as const)('in a tile of %d by %d has the tools %s', (width, height, tools, isShort) => {
    const layout = layoutBoard({ width, height }, aPage(), true)
    expect([layout.tools, layout.isShort]).toEqual([tools, isShort])
    expect(layout.content.width / layout.content.height).toBeCloseTo(16 / 9)
    expect(layout.content.width).toBeLessThanOrEqual(width)
  })

  it('has larger tools and a higher line where everything is larger', () => {
    expect(layoutBoard({ width: 2_104, height: 1_288 }, aPage(), true, 2)).toMatchObject({
      ...{ tools: 'beside', isShort: false },
      area: { width: 2_000, height: 1_200 },
    })
  })

  it('has no space for tools where nobody may draw', () => {
    expect(layoutBoard({ width: 390, height: 300 }, aPage(), false)).toMatchObject({
      tools: null,
      area: { width: 390, height: 256 },
    })
  })
})
