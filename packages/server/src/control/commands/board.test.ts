import type { BoardIndex } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import type { BoardStore } from '../../sessions/board/ports.ts'
import { boardStore } from '../../sessions/stores/boards.ts'
import { createHarness, TAG } from '../testing/control-harness.ts'
import { Drawer, PAGE, strokeBody } from '../testing/drawer.ts'
import type { RawClient } from '../testing/raw-client.ts'

const open = async (settings = {}) => {
  const harness = await createHarness(settings)
  const anna = await harness.enter('anna', 'moderator')
  const ben = await harness.enter('ben')
  return { harness, anna: new Drawer(anna), ben: new Drawer(ben) }
}

const reason = (reason: string) => ({ status: 'rejected', error: { extensions: { reason } } })
const committed = { status: 'committed' }
const index = ({ snapshots }: RawClient) =>
  snapshots().find(({ stream_id }) => stream_id.startsWith('session:'))?.state.board
const userIdOf = (harness: Awaited<ReturnType<typeof createHarness>>, name: string) =>
  String(harness.authenticator.user(name).id)

describe('pages of a board', () => {
  it('BOARD-3 are read by a snapshot and events by two clients that draw, without a browser', async () => {
    const { harness, anna, ben } = await open()
    await ben.put('from-ben-1')
    expect(await anna.watch()).toMatchObject({
      status: 'applied',
      data: { stream: { stream_id: `page:${anna.client.sessionId}.${PAGE}`, seq: '1' } },
    })
    await ben.watch()
    expect(await anna.put('from-anna-1')).toMatchObject(committed)
    expect(
      await ben.command('board.move', {
        dx: 5,
        dy: -5,
        elements: [{ element_id: 'from-ben-1', version: 2 }],
      }),
    ).toMatchObject({
      ...committed,
      data: { skipped: [] },
    })
    expect(anna.read()).toEqual({
      elements: ['from-anna-1', 'from-ben-1'],
      versions: 'from-anna-1:1 from-ben-1:2',
    })
    expect(ben.read()).toEqual(anna.read())
    expect(anna.elements.get('from-ben-1')).toMatchObject({
      author_id: userIdOf(harness, 'ben'),
      kind: 'stroke',
      data: { points: [60, -30, 128, 1, 1, 0] },
    })
    await anna.command('board.unwatch', {})
    await ben.put('from-ben-2')
    expect(anna.read().elements).toHaveLength(2)
  })

  it('BOARD-3 are opened with an older snapshot and the events after it, as long as those are few', async () => {
    const { harness, anna, ben } = await open()
    const carl = new Drawer(await harness.enter('carl'))
    await anna.watch()
    await anna.put('element-1')
    expect(await ben.watch()).toMatchObject({ data: { stream: { seq: '1' } } })
    expect(ben.client.snapshots().at(-1)).toMatchObject({ snapshot_seq: '0', state: { elements: [] } })
    expect(ben.client.events().at(-1)).toMatchObject({ seq: '1', name: 'board.elements' })
    await anna.client.command('board.put', strokeBody('element-2', 1, Array(45_000).fill(1_000)))
    await carl.watch()
    expect(carl.client.snapshots().at(-1)?.snapshot_seq).toBe('2')
    expect(carl.client.events().filter(({ name }) => name === 'board.elements')).toEqual([])
  })

  it('BOARD-3 need version 2 of the protocol', async () => {
    const { harness, anna } = await open()
    const old = harness.client('dora', `participant@${TAG}`)
    await old.login(null)
    await old.send(
      JSON.stringify({
        id: '1',
        command: 'conference.join',
        target: { kind: 'conference', id: TAG },
        params: {},
      }),
    )
    old.takeOther()
    await old.send(JSON.stringify({ id: '2', command: 'board.watch', params: { page_id: PAGE } }))
    const answers = old.socket.other.map(text => JSON.parse(text) as { id?: string })
    expect(answers.find(({ id }) => id === '2')).toMatchObject({ error: { code: 'unsupported_feature' } })
    expect((await anna.put('element-1')).status).toBe('committed')
  })

  it('BOARD-7 continue after a reconnect with what was missed, or are watched again', async () => {
    const { anna, ben } = await open()
    for (const each of [anna, ben]) await each.watch()
    ben.read()
    await ben.client.drop()
    await anna.put('element-1')
    await ben.client.login()
    expect(await ben.client.resume([ben.cursor])).toMatchObject({ status: 'ready' })
    expect(ben.read()).toMatchObject({ elements: ['element-1'] })
    // Without a cursor everything would have to be sent.
    await ben.client.drop()
    await anna.put('element-2')
    await ben.client.login()
    const resumed = await ben.client.resume([])
    expect('streams' in resumed && resumed.streams?.map(({ stream_id }) => stream_id)).not.toContain(
      ben.streamId,
    )
    await ben.watch()
    expect(ben.read()).toEqual(anna.read())
  })

  it('BOARD-1 outlive the session and the server', async () => {
    const { harness, anna } = await open()
    await anna.put('element-1')
    await anna.client.command('board.page_add', {
      page_id: 'page0002',
      after_page_id: PAGE,
      background: { kind: 'lined' },
    })
    await anna.client.command('conference.end', {}, { kind: 'conference', id: TAG })
    await harness.restart()
    const later = new Drawer(await harness.enter('anna', 'moderator'))
    expect(index(later.client)).toEqual({
      pages: [
        { page_id: PAGE, width: 1600, height: 900, background: { kind: 'blank' } },
        { page_id: 'page0002', width: 1600, height: 900, background: { kind: 'lined' } },
      ],
      shown_page_id: null,
      rights: { mode: 'everybody' },
    })
    await later.watch()
    expect(later.read().elements).toEqual(['element-1'])
  })

  it('BOARD-1 begin empty in each session where the conference wants that, and there are none where it has no board', async () => {
    const { harness, anna } = await open()
    const conference = harness.directory.known.get(TAG)
    if (conference) conference.board = 'fresh'
    await anna.put('element-1')
    await anna.client.command('conference.end', {}, { kind: 'conference', id: TAG })
    const later = new Drawer(await harness.enter('anna', 'moderator'))
    await later.watch()
    expect(later.read().elements).toEqual([])
    if (conference) conference.board = 'off'
    await later.client.command('conference.end', {}, { kind: 'conference', id: TAG }, { command_id: 'end-2' })
    const last = new Drawer(await harness.enter('anna', 'moderator'))
    expect(index(last.client)).toBeUndefined()
    expect(await last.command('board.watch', {}, { command_id: 'watch-2' })).toMatchObject(
      reason('board_off'),
    )
  })

  it('BOARD-1 are refused by a server without boards', async () => {
    const { anna } = await open({ boardStore: null })
    expect(index(anna.client)).toBeUndefined()
    expect(await anna.put('element-1')).toMatchObject({ error: { code: 'unsupported_feature' } })
    expect(await anna.watch()).toMatchObject(reason('board_off'))
  })

  it('BOARD-4 that are private are watched by their owner and moderators, and by everybody while they are shown', async () => {
    const { harness, anna, ben } = await open()
    const carl = await harness.enter('carl')
    await anna.put('element-1')
    expect(await anna.command('board.hand_out', {})).toMatchObject(committed)
    const changed = anna.client.events().findLast(({ name }) => name === 'board.changed')
    const pages = (changed?.body.pages ?? []) as { page_id: string; owner_id?: string; copy_of?: string }[]
    const copies = pages.slice(1)
    expect(copies.map(({ owner_id, copy_of }) => [owner_id, copy_of])).toEqual([
      [userIdOf(harness, 'ben'), PAGE],
      [userIdOf(harness, 'carl'), PAGE],
    ])
    const pageId = String(copies[0]?.page_id)
    const [own, other, teacher] = [ben.client, carl, anna.client].map(each => new Drawer(each, pageId)) as [
      Drawer,
      Drawer,
      Drawer,
    ]
    for (const each of [own, teacher]) await each.watch()
    expect(await other.watch()).toMatchObject(reason('page_private'))
    expect(await other.put('element-9')).toMatchObject(reason('drawing_not_permitted'))
    // On the own copy everything can be changed, also what the moderator drew.
    expect(
      await own.command('board.delete', { elements: [{ element_id: 'element-1', version: 2 }] }),
    ).toMatchObject({
      data: { skipped: [] },
    })
    await own.put('element-2')
    expect(teacher.read()).toEqual({ elements: ['element-2'], versions: 'element-2:1' })

    expect(await anna.client.command('board.page_show', { page_id: pageId })).toMatchObject(
      reason('page_private'),
    )
    await anna.client.command('board.show_copy', { page_id: pageId })
    expect(await other.watch()).toMatchObject({ status: 'applied' })
    expect(other.read().elements).toEqual(['element-2'])
    await anna.client.command('board.page_show', { page_id: PAGE })
    await harness.pass(1_000)
    await own.put('element-3')
    expect([other.read().elements.length, teacher.read().elements.length]).toEqual([1, 2])
    // A page is handed out once to each person.
    anna.client.events()
    expect(await anna.command('board.hand_out', {})).toMatchObject(committed)
    expect(anna.client.events()).toEqual([])
  })

  it('BOARD-4 that are not shown are watched by moderators alone while looking around is forbidden', async () => {
    const { harness, anna, ben } = await open()
    const known: Partial<BoardIndex> = {}
    const deck = () => {
      for (const { name, body } of anna.client.events())
        if (name === 'board.changed') Object.assign(known, body)
      return known
    }
    await anna.client.command('board.page_add', { page_id: 'page0002' })
    await anna.client.command('board.page_show', { page_id: 'page0002' })
    await anna.command('board.hand_out', {})
    await ben.watch()
    await anna.client.command('board.set_rights', { mode: 'everybody', look_around: false })
    await anna.client.command('board.set_rights', { mode: 'moderators' })
    expect(deck().rights).toEqual({ mode: 'moderators', look_around: false })
    await harness.pass(1_000)
    await anna.put('element-1')
    expect(ben.read().elements).toEqual([])
    expect(await ben.watch()).toMatchObject(reason('looking_around_not_permitted'))
    const watch = (page_id: string) => ben.client.command('board.watch', { page_id })
    const copy = deck().pages?.find(({ owner_id }) => owner_id !== undefined)
    for (const page_id of ['page0002', copy?.page_id ?? ''])
      expect(await watch(page_id)).toMatchObject({ status: 'applied' })
    expect(await anna.watch()).toMatchObject({ status: 'applied' })
    await anna.client.command('board.set_rights', { mode: 'moderators', look_around: true })
    expect(deck().rights).toEqual({ mode: 'moderators' })
    expect(await ben.watch()).toMatchObject({ status: 'applied' })
    expect(ben.read().elements).toEqual(['element-1'])
  })

  it('BOARD-3 are at most forty on one connection, and leave the memory when nobody watches them', async () => {
    const { harness, anna } = await open()
    const ids = Array.from({ length: 41 }, (_, i) => `page-${1000 + i}`)
    for (const page_id of ids) await anna.client.command('board.page_add', { page_id })
    for (const page_id of ids.slice(0, 40))
      expect(await anna.client.command('board.watch', { page_id })).toMatchObject({ status: 'applied' })
    expect(await anna.client.command('board.watch', { page_id: ids[40] })).toMatchObject(
      reason('too_many_watched_pages'),
    )
    expect(await anna.client.command('board.watch', { page_id: ids[0] })).toMatchObject({ status: 'applied' })
    await anna.client.command('board.unwatch', { page_id: ids[0] })
    expect(await anna.client.command('board.watch', { page_id: ids[40] })).toMatchObject({
      status: 'applied',
    })
    for (const page_id of ids) await anna.client.command('board.unwatch', { page_id })
    await harness.pass(12_000)
    expect([harness.boards?.pages.size, harness.streams.pages.size]).toEqual([0, 0])
  })

  it('BOARD-10 are added, ordered, shown and removed by moderators, once each', async () => {
    const { anna, ben } = await open()
    const command = (name: string, body: object) => anna.client.command(name, { ...body })
    for (let i = 0; i < 2; i++)
      await command('board.page_add', { page_id: 'page0002', width: 800, height: 600 })
    await command('board.page_add', { page_id: 'page0000', after_page_id: PAGE })
    await command('board.page_order', { page_ids: ['page0002', PAGE, 'page9999', PAGE] })
    await command('board.page_show', { page_id: 'page0002' })
    const order = () => {
      const changes = anna.client
        .events()
        .flatMap(({ name, body }) => (name === 'board.changed' ? [body] : []))
      return Object.assign({}, ...changes) as { pages: { page_id: string }[]; shown_page_id: string | null }
    }
    const now = order()
    expect(now.pages.map(({ page_id }) => page_id)).toEqual(['page0002', PAGE, 'page0000'])
    expect(now.shown_page_id).toBe('page0002')
    await command('board.page_remove', { page_id: 'page0002' })
    expect(order().shown_page_id).toBe(PAGE)
    await command('board.page_show', { page_id: null })
    expect(order().shown_page_id).toBeNull()
    await command('board.page_remove', { page_id: 'page0000' })
    expect(await command('board.page_remove', { page_id: PAGE })).toMatchObject(reason('last_page'))
    expect(await command('board.page_show', { page_id: 'page0002' })).toMatchObject(reason('no_such_page'))
    expect(await ben.client.command('board.page_add', { page_id: 'page0003' })).toMatchObject(
      reason('not_moderator'),
    )
    expect(
      await command('board.page_add', { page_id: 'page0003', background: { kind: 'image', file_id: 'f.1' } }),
    ).toMatchObject(reason('unknown_file'))
  })

  it('BOARD-10 are empty when they are added again after they were removed', async () => {
    const { anna } = await open()
    const page = new Drawer(anna.client, 'page0002')
    const change = (name: string, command_id: string) => page.command(name, {}, { command_id })
    await change('board.page_add', 'add-1')
    await page.put('element-1')
    await change('board.page_remove', 'remove-1')
    await change('board.page_add', 'add-2')
    await page.watch()
    expect(page.read().elements).toEqual([])
    expect(await page.put('element-2')).toMatchObject(committed)
    expect(page.read().elements).toEqual(['element-2'])
  })

  it('BOARD-5 are read once after a write whose effect is unknown, whoever needs them first', async () => {
    const reading: (() => void)[] = []
    let isFailing = false
    const { harness, anna } = await open({
      boardStore: (db: Parameters<typeof boardStore>[0]): BoardStore => {
        const store = boardStore(db)
        return {
          ...store,
          readPage: async (...page) => {
            const content = await store.readPage(...page)
            if (isFailing) await new Promise<void>(resolve => void reading.push(resolve))
            return content
          },
          write: async writes => {
            if (!isFailing) return store.write(writes)
            throw new Error('store: not written')
          },
        }
      },
    })
    await anna.watch()
    await anna.put('element-1')
    isFailing = true
    await anna.put('element-2')
    const swept = harness.boards?.pages.sweep()
    await anna.put('element-3')
    isFailing = false
    for (const resolve of reading.reverse()) {
      resolve()
      await harness.settle()
    }
    await swept
    expect(reading).toHaveLength(1)
    expect(anna.read().elements).toEqual(['element-1', 'element-3'])
  })

  it('BOARD-13 are at most two hundred', async () => {
    const { anna } = await open()
    const add = (i: number) => anna.client.command('board.page_add', { page_id: `page-${1000 + i}` })
    for (let i = 0; i < 199; i++) await add(i)
    expect(await add(199)).toMatchObject({
      error: { code: 'resource_exhausted', message: expect.stringContaining('remove pages') },
    })
    expect(await add(0)).toMatchObject(committed)
  })
})

describe('elements of a board', () => {
  it('BOARD-2 take effect once for each version, and the first of two different changes wins', async () => {
    const { anna, ben } = await open()
    await anna.watch()
    const first = await ben.put('element-1', 3)
    expect(first).toMatchObject(committed)
    for (let i = 0; i < 2; i++) expect(await ben.put('element-1', 3)).toMatchObject(committed)
    expect(await ben.put('element-1', 2)).toMatchObject(committed)
    const other = { ...strokeBody('element-1', 3), kind: 'marker' }
    expect(await ben.client.command('board.put', other)).toMatchObject({
      error: { code: 'version_conflict', extensions: { reason: 'element_changed' } },
    })
    expect(await ben.put('element-1', 1_004)).toMatchObject(reason('version_too_high'))
    expect(anna.client.events().filter(({ name }) => name === 'board.elements')).toHaveLength(1)
  })

  it('BOARD-8 are changed by their author, and by moderators, and keep their author', async () => {
    const { harness, anna, ben } = await open()
    const carl = new Drawer(await harness.enter('carl'))
    await anna.watch()
    await ben.put('element-1')
    const elements = [{ element_id: 'element-1', version: 2 }]
    expect(await carl.put('element-1', 2)).toMatchObject(reason('not_your_element'))
    for (const name of ['board.delete', 'board.restore'])
      expect(await carl.command(name, { elements })).toMatchObject(reason('not_your_element'))
    expect(await carl.command('board.move', { dx: 1, dy: 1, elements })).toMatchObject(
      reason('not_your_element'),
    )
    expect(await anna.put('element-1', 2)).toMatchObject(committed)
    anna.read()
    expect(anna.elements.get('element-1')?.author_id).toBe(userIdOf(harness, 'ben'))
  })

  it('BOARD-9 are drawn by those whom a moderator permits it, from the next command on', async () => {
    const { harness, anna, ben } = await open()
    const rights = (mode: string, user_ids?: string[]) =>
      anna.client.command('board.set_rights', { mode, ...(user_ids && { user_ids }) })
    const mayDraw = async (who: Drawer, id: string) => (await who.put(id)).status === 'committed'
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
      reason('not_moderator'),
    )
  })

  it('BOARD-10 lose all copies of a page by one command, and show the page where one of them was shown', async () => {
    const { harness, anna, ben } = await open()
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
    expect(await remove(ben.client)).toMatchObject(reason('not_moderator'))
    for (let i = 0; i < 2; i++) expect(await remove(anna.client)).toMatchObject(committed)
    expect(deck().pages?.map(({ copy_of }) => copy_of ?? 'none')).toEqual(['none', 'none', PAGE, PAGE])
    expect(deck().shown_page_id).toBe('page0002')
  })

  it('BOARD-13 have so many named drawers as the index has space for', async () => {
    const { anna } = await open()
    const ids = (count: number) => Array.from({ length: count }, (_, at) => `${at}`.padStart(128, '7'))
    for (let at = 0; at < 120; at++)
      await anna.client.command('board.page_add', { page_id: `page-${1_000 + at}` })
    const rights = (mode: string, user_ids?: string[]) =>
      anna.client.command('board.set_rights', { mode, ...(user_ids && { user_ids }) })
    expect(await rights('chosen', ids(200))).toMatchObject(reason('deck_full'))
    expect(await rights('chosen', ids(100))).toMatchObject(committed)
    expect(await rights('chosen', ids(99))).toMatchObject(committed)
    expect(await rights('nobody')).toMatchObject(committed)
  })

  it('BOARD-11 are restored after a deletion, and after a page was cleared, also by a repeated command', async () => {
    const { anna, ben } = await open()
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
    // Of participants only their own.
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
    const { anna } = await open()
    await anna.watch()
    const large = (id: string, numbers: number) =>
      anna.client.command('board.put', strokeBody(id, 1, Array(numbers).fill(-100)))
    expect(await large('element-1', 50_001)).toMatchObject(reason('element_too_large'))
    expect(await large('element-1', 40_000)).toMatchObject(reason('invalid_points'))
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
    ).toMatchObject(reason('unknown_file'))
  })

  it('BOARD-13 are limited in their bytes, also those that a move stores again', async () => {
    const { ben } = await open({ isBoardLimited: true })
    const ids = Array.from({ length: 10 }, (_, i) => `element-${10 + i}`)
    for (const id of ids) await ben.client.command('board.put', strokeBody(id, 1, Array(45_000).fill(1_000)))
    const move = (version: number) =>
      ben.command('board.move', { dx: 1, dy: 1, elements: ids.map(element_id => ({ element_id, version })) })
    expect([await move(2), await move(3)]).toMatchObject([committed, { error: { code: 'rate_limited' } }])
  })

  it('BOARD-13 are limited in their rate', async () => {
    const { harness, ben } = await open({ isBoardLimited: true })
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
    const { harness, anna } = await open({ maxOpenBoardBytes })
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
    const { harness, anna, ben } = await open()
    for (const each of [anna, ben]) await each.watch()
    await ben.client.command('conference.leave', {}, { kind: 'conference', id: TAG })
    ben.read()
    await anna.put('element-1')
    expect(ben.read().elements).toEqual([])
    expect(await ben.put('element-2')).toMatchObject(reason('not_inside'))
    expect(
      harness.streams.pages.watchersOf({ sessionId: Number(anna.client.sessionId), pageId: PAGE }),
    ).toHaveLength(1)
  })
})

describe('signals of a page', () => {
  it('BOARD-14 reach those who watch it, ten times a second, and expire after two seconds', async () => {
    const { harness, anna, ben } = await open()
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
