import type { BoardIndex } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import type { BoardStore } from '../../sessions/board/ports.ts'
import { boardStore } from '../../sessions/stores/boards.ts'
import { committed, openBoard, refusedFor, userIdOf } from '../testing/board.ts'
import { TAG } from '../testing/control-harness.ts'
import { Drawer, PAGE, strokeBody } from '../testing/drawer.ts'
import type { RawClient } from '../testing/raw-client.ts'

const index = ({ snapshots }: RawClient) =>
  snapshots().find(({ stream_id }) => stream_id.startsWith('session:'))?.state.board

describe('pages of a board', () => {
  it('BOARD-3 are read by a snapshot and events by two clients that draw, without a browser', async () => {
    const { harness, anna, ben } = await openBoard()
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
    const { harness, anna, ben } = await openBoard()
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
    const { harness, anna } = await openBoard()
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
    const { anna, ben } = await openBoard()
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
    const { harness, anna } = await openBoard()
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
    const { harness, anna } = await openBoard()
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
      refusedFor('board_off'),
    )
  })

  it('BOARD-1 are refused by a server without boards', async () => {
    const { anna } = await openBoard({ boardStore: null })
    expect(index(anna.client)).toBeUndefined()
    expect(await anna.put('element-1')).toMatchObject({ error: { code: 'unsupported_feature' } })
    expect(await anna.watch()).toMatchObject(refusedFor('board_off'))
  })

  it('BOARD-4 that are private are watched by their owner and moderators, and by everybody while they are shown', async () => {
    const { harness, anna, ben } = await openBoard()
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
    expect(await other.watch()).toMatchObject(refusedFor('page_private'))
    expect(await other.put('element-9')).toMatchObject(refusedFor('drawing_not_permitted'))
    // On the own copy everything can be changed, also what the moderator drew.
    expect(
      await own.command('board.delete', { elements: [{ element_id: 'element-1', version: 2 }] }),
    ).toMatchObject({
      data: { skipped: [] },
    })
    await own.put('element-2')
    expect(teacher.read()).toEqual({ elements: ['element-2'], versions: 'element-2:1' })

    expect(await anna.client.command('board.page_show', { page_id: pageId })).toMatchObject(
      refusedFor('page_private'),
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
    const { harness, anna, ben } = await openBoard()
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
    expect(await ben.watch()).toMatchObject(refusedFor('looking_around_not_permitted'))
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
    const { harness, anna } = await openBoard()
    const ids = Array.from({ length: 41 }, (_, i) => `page-${1000 + i}`)
    for (const page_id of ids) await anna.client.command('board.page_add', { page_id })
    for (const page_id of ids.slice(0, 40))
      expect(await anna.client.command('board.watch', { page_id })).toMatchObject({ status: 'applied' })
    expect(await anna.client.command('board.watch', { page_id: ids[40] })).toMatchObject(
      refusedFor('too_many_watched_pages'),
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
    const { anna, ben } = await openBoard()
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
    expect(await command('board.page_remove', { page_id: PAGE })).toMatchObject(refusedFor('last_page'))
    expect(await command('board.page_show', { page_id: 'page0002' })).toMatchObject(
      refusedFor('no_such_page'),
    )
    expect(await ben.client.command('board.page_add', { page_id: 'page0003' })).toMatchObject(
      refusedFor('not_moderator'),
    )
    expect(
      await command('board.page_add', { page_id: 'page0003', background: { kind: 'image', file_id: 'f.1' } }),
    ).toMatchObject(refusedFor('unknown_file'))
  })

  it('BOARD-10 are empty when they are added again after they were removed', async () => {
    const { anna } = await openBoard()
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
    const { harness, anna } = await openBoard({
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
    const { anna } = await openBoard()
    const add = (i: number) => anna.client.command('board.page_add', { page_id: `page-${1000 + i}` })
    for (let i = 0; i < 199; i++) await add(i)
    expect(await add(199)).toMatchObject({
      error: { code: 'resource_exhausted', message: expect.stringContaining('remove pages') },
    })
    expect(await add(0)).toMatchObject(committed)
  })
})
