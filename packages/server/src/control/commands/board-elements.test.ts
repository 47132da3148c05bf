import type { BoardIndex } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { committed, openBoard, refusedFor, userIdOf } from '../testing/board.ts'
import { TAG } from '../testing/control-harness.ts'
import { Drawer, PAGE, strokeBody } from '../testing/drawer.ts'
import type { RawClient } from '../testing/raw-client.ts'

describe('elements of a board', () => {
  it('BOARD-2 take effect once for each version, and the first of two different changes wins', async () => {
    const { anna, ben } = await openBoard()
    await anna.watch()
    const first = await ben.put('element-1', 3)
    expect(first).toMatchObject(committed)
    for (let i = 0; i < 2; i++) expect(await ben.put('element-1', 3)).toMatchObject(committed)
    expect(await ben.put('element-1', 2)).toMatchObject(committed)
    const other = { ...strokeBody('element-1', 3), kind: 'marker' }
    expect(await ben.client.command('board.put', other)).toMatchObject({
      error: { code: 'version_conflict', extensions: { reason: 'element_changed' } },
    })
    expect(await ben.put('element-1', 1_004)).toMatchObject(refusedFor('version_too_high'))
    const events = anna.client.events().filter(({ name }) => name === 'board.elements')
    expect(events).toMatchObject([
      { aggregate: { kind: 'operation', id: expect.stringMatching(`\\.${PAGE}$`) } },
    ])
  })

  it('BOARD-8 are changed by their author, and by moderators, and keep their author', async () => {
    const { harness, anna, ben } = await openBoard()
    const carl = new Drawer(await harness.enter('carl'))
    await anna.watch()
    await ben.put('element-1')
    const elements = [{ element_id: 'element-1', version: 2 }]
    expect(await carl.put('element-1', 2)).toMatchObject(refusedFor('not_your_element'))
    for (const name of ['board.delete', 'board.restore'])
      expect(await carl.command(name, { elements })).toMatchObject(refusedFor('not_your_element'))
    expect(await carl.command('board.move', { dx: 1, dy: 1, elements })).toMatchObject(
      refusedFor('not_your_element'),
    )
    expect(await anna.put('element-1', 2)).toMatchObject(committed)
    anna.read()
    expect(anna.elements.get('element-1')?.author_id).toBe(userIdOf(harness, 'ben'))
  })

  it('BOARD-9 are drawn by those whom a moderator permits it, from the next command on', async () => {
    const { harness, anna, ben } = await openBoard()
    const rights = (mode: string, user_ids?: string[]) =>
      anna.client.command('board.set_rights', { mode, ...(user_ids && { user_ids }) })
    const mayDraw = async (drawer: Drawer, id: string) => (await drawer.put(id)).status === 'committed'
    const both = async (id: string) => [await mayDraw(anna, `${id}-anna`), await mayDraw(ben, `${id}-ben1`)]
    expect(await both('first')).toEqual([true, true])
    await rights('moderators')
    expect(await both('second')).toEqual([true, false])
    await rights('chosen', [userIdOf(harness, 'ben')])
    expect(await both('third')).toEqual([true, true])
    await rights('chosen', [])
    expect(await both('fourth')).toEqual([true, false])
    await rights('nobody')
    expect(await both('fifth')).toEqual([false, false])
    expect(await ben.client.command('board.set_rights', { mode: 'everybody' })).toMatchObject(
      refusedFor('not_moderator'),
    )
  })

  it('BOARD-10 lose all copies of a page by one command, and show the page where one of them was shown', async () => {
    const { harness, anna, ben } = await openBoard()
    await harness.enter('carl')
    await anna.client.command('board.page_add', { page_id: 'page0002' })
    for (const page_id of [PAGE, 'page0002']) await anna.client.command('board.hand_out', { page_id })
    const known: Partial<BoardIndex> = {}
    const deck = () => {
      for (const { name, body } of anna.client.events())
        if (name === 'board.changed') Object.assign(known, body)
      return known
    }
    const copy = deck().pages?.find(({ copy_of }) => copy_of === 'page0002')
    await anna.client.command('board.show_copy', { page_id: copy?.page_id ?? '' })
    const remove = (client: RawClient) =>
      client.command('board.page_remove', { page_id: 'page0002', copies: true })
    expect(await remove(ben.client)).toMatchObject(refusedFor('not_moderator'))
    for (let i = 0; i < 2; i++) expect(await remove(anna.client)).toMatchObject(committed)
    expect(deck().pages?.map(({ copy_of }) => copy_of ?? 'none')).toEqual(['none', 'none', PAGE, PAGE])
    expect(deck().shown_page_id).toBe('page0002')
  })

  it('BOARD-13 have so many named drawers as the index has space for', async () => {
    const { anna } = await openBoard()
    const ids = (count: number) => Array.from({ length: count }, (_, at) => `${at}`.padStart(128, '7'))
    for (let at = 0; at < 120; at++)
      await anna.client.command('board.page_add', { page_id: `page-${1_000 + at}` })
    const rights = (mode: string, user_ids?: string[]) =>
      anna.client.command('board.set_rights', { mode, ...(user_ids && { user_ids }) })
    expect(await rights('chosen', ids(200))).toMatchObject(refusedFor('deck_full'))
    expect(await rights('chosen', ids(100))).toMatchObject(committed)
    expect(await rights('chosen', ids(99))).toMatchObject(committed)
    expect(await rights('nobody')).toMatchObject(committed)
  })

  it('BOARD-11 are restored after a deletion, and after a page was cleared, also by a repeated command', async () => {
    const { anna, ben } = await openBoard()
    await anna.watch()
    for (const id of ['from-ben-1', 'from-ben-2']) await ben.put(id)
    await anna.put('from-anna-1')
    const deletion = {
      elements: [
        { element_id: 'from-ben-1', version: 2 },
        { element_id: 'nowhere-1', version: 1 },
      ],
    }
    for (let i = 0; i < 2; i++)
      expect(await ben.command('board.delete', deletion)).toMatchObject({ data: { skipped: ['nowhere-1'] } })
    expect(anna.read().elements).toEqual(['from-anna-1', 'from-ben-2'])
    await ben.command('board.restore', { elements: [{ element_id: 'from-ben-1', version: 3 }] })
    expect(anna.read().versions).toBe('from-anna-1:1 from-ben-1:3 from-ben-2:1')
    // Participants clear only their own elements.
    const cleared = { element_ids: ['from-ben-2', 'from-ben-1'], versions: [2, 4] }
    for (let i = 0; i < 2; i++)
      expect(await ben.command('board.page_clear', {}, { command_id: 'clear-1' })).toMatchObject({
        data: cleared,
      })
    expect(anna.read().elements).toEqual(['from-anna-1'])
    const restored = cleared.element_ids.map((element_id, i) => ({
      element_id,
      version: Number(cleared.versions[i]) + 1,
    }))
    expect(await ben.command('board.restore', { elements: restored })).toMatchObject({
      data: { skipped: [] },
    })
    expect(anna.read().elements).toHaveLength(3)
    expect(await anna.command('board.page_clear', {})).toMatchObject({
      data: { element_ids: expect.objectContaining({ length: 3 }) },
    })
    expect(anna.read().elements).toEqual([])
  })

  it('BOARD-13 are refused when they are too large, and when the page is full', async () => {
    const { anna } = await openBoard()
    await anna.watch()
    const large = (id: string, numbers: number) =>
      anna.client.command('board.put', strokeBody(id, 1, Array(numbers).fill(-100)))
    expect(await large('element-1', 50_001)).toMatchObject(refusedFor('element_too_large'))
    expect(await large('element-1', 40_000)).toMatchObject(refusedFor('invalid_points'))
    const results = []
    for (let i = 0; i < 16; i++) results.push(await large(`element-${10 + i}`, 45_000))
    const full = results.filter(({ status }) => status === 'rejected')
    expect([full.length, full[0]]).toMatchObject([
      results.length - 13,
      { error: { code: 'resource_exhausted', message: expect.stringContaining('another page') } },
    ])
    expect(anna.read().elements).toHaveLength(13)
    expect(
      await anna.client.command('board.put', {
        ...strokeBody('element-1'),
        kind: 'image',
        data: { x: 0, y: 0, width: 1, height: 1, file_id: 'f' },
      }),
    ).toMatchObject(refusedFor('unknown_file'))
  })

  it('BOARD-13 are limited in their bytes, also those that a move stores again', async () => {
    const { ben } = await openBoard({ isBoardLimited: true })
    const ids = Array.from({ length: 10 }, (_, i) => `element-${10 + i}`)
    for (const id of ids) await ben.client.command('board.put', strokeBody(id, 1, Array(45_000).fill(1_000)))
    const move = (version: number) =>
      ben.command('board.move', { dx: 1, dy: 1, elements: ids.map(element_id => ({ element_id, version })) })
    expect([await move(2), await move(3)]).toMatchObject([committed, { error: { code: 'rate_limited' } }])
  })

  it('BOARD-13 are limited in their rate', async () => {
    const { harness, ben } = await openBoard({ isBoardLimited: true })
    const results = []
    for (let i = 0; i < 310; i++) results.push(await ben.put(`element-${100 + i}`))
    const refused = results.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(10)
    expect(refused[0]).toMatchObject({
      error: {
        code: 'rate_limited',
        retry_after_ms: expect.any(Number),
        extensions: { reason: 'too_much_drawing' },
      },
    })
    await harness.pass(1_000)
    expect(await ben.put('element-1')).toMatchObject(committed)
  })

  it.each([
    ['the memory for them', 100],
    ['a quarter of it for one session', 400],
  ])('BOARD-13 are not opened beyond %s', async (_, maxOpenBoardBytes) => {
    const { harness, anna } = await openBoard({ maxOpenBoardBytes })
    await anna.watch()
    await anna.put('element-1')
    await anna.client.command('board.page_add', { page_id: 'page0002' })
    expect(await anna.client.command('board.watch', { page_id: 'page0002' })).toMatchObject({
      error: { code: 'temporarily_unavailable' },
    })
    await anna.command('board.unwatch', {})
    expect(await anna.client.command('board.watch', { page_id: 'page0002' })).toMatchObject({
      status: 'applied',
    })
    expect(harness.boards?.pages.size).toBe(1)
  })

  it('BOARD-15 do not leave the server for people who have left', async () => {
    const { harness, anna, ben } = await openBoard()
    for (const each of [anna, ben]) await each.watch()
    await ben.client.command('conference.leave', {}, { kind: 'conference', id: TAG })
    ben.read()
    await anna.put('element-1')
    expect(ben.read().elements).toEqual([])
    expect(await ben.put('element-2')).toMatchObject(refusedFor('not_inside'))
    expect(
      harness.streams.pages.watchersOf({ sessionId: Number(anna.client.sessionId), pageId: PAGE }),
    ).toHaveLength(1)
  })
})

describe('signals of a page', () => {
  it('BOARD-14 reach those who watch it, ten times a second, and expire after two seconds', async () => {
    const { harness, anna, ben } = await openBoard()
    const carl = await harness.enter('carl')
    for (const each of [anna, ben]) {
      await each.watch()
      each.read()
    }
    const signal = (name: string, body: object, seq: number, from = ben) =>
      from.client.send(
        JSON.stringify({
          control_signal: {
            binding: from.client.binding,
            stream_id: from.streamId,
            stream_epoch: from.epoch,
            source_id: from.client.participantId,
            signal_seq: String(seq),
            ttl_ms: 9_000,
            name,
            body,
          },
        }),
      )
    const ink = {
      element_id: 'element-1',
      kind: 'stroke',
      color: '#000000',
      width: 2,
      first_index: 0,
      points: [1, 2, 3],
    }
    for (let i = 1; i <= 14; i++) await signal('board.ink', ink, i)
    const received = anna.client.take('control_signal')
    expect(received).toHaveLength(10)
    expect(received[0]).toMatchObject({
      name: 'board.ink',
      ttl_ms: 2_000,
      source_id: ben.client.participantId,
      body: ink,
    })
    expect([carl.take('control_signal'), ben.client.take('control_signal')]).toEqual([[], []])
    await signal('board.pointer', { position: { x: 1, y: 2 } }, 1)
    await signal('chat.typing', {}, 1)
    expect(anna.client.take('control_signal').map(({ name }) => name)).toEqual(['board.pointer'])
    await anna.client.command('board.set_rights', { mode: 'moderators' })
    await harness.pass(1_000)
    await signal('board.ink', ink, 20)
    await signal('board.ink', ink, 20, anna)
    expect([anna.client.take('control_signal'), ben.client.take('control_signal').length]).toMatchObject([
      [],
      1,
    ])
    expect(anna.read().elements).toEqual([])
  })
})
