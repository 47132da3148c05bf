import type { Conversation } from '@lectern/protocol/control/client'
import { describe, expect, it } from 'vitest'
import { createTestConnection } from '../../account-connection/testing.ts'
import { ConversationList } from './conversation-list.ts'
import { aConversation, aView } from './testing.ts'

/** A server with conversations 1 to `count`, of which the newest hundred are in the state. */
function start(count: number) {
  const { connection, control } = createTestConnection()
  const all = Array.from({ length: count }, (_, index) => aConversation(count - index))
  control.handlers['conversation.list'] = ({ before, limit }) => {
    const from = before === undefined ? 0 : Number(before)
    const to = from + Number(limit)
    return { conversations: all.slice(from, to), next: to < count ? String(to) : null }
  }
  connection.open()
  const list = new ConversationList(connection)
  list.subscribe(() => {})
  const show = (conversations: readonly Conversation[]) =>
    control.view.set(aView({ conversations: conversations.slice(0, 100) }))
  show(all)
  const ids = () => list.get().conversations?.map(each => Number(each.user_id)) ?? null
  return { list, control, all, show, ids }
}

const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index)

describe('ConversationList', () => {
  it('is unknown before the first state', () => {
    const { connection } = createTestConnection()
    connection.open()
    expect(new ConversationList(connection).get().conversations).toBeNull()
  })

  it('has all conversations of a small account, and requests no more', async () => {
    const { list, control, ids } = start(3)
    expect(ids()).toEqual([3, 2, 1])
    expect(list.get().hasMore).toBe(false)
    await list.loadMore()
    expect(control.commands).toEqual([])
  })

  it('loads older conversations in pages until there are none', async () => {
    const { list, ids } = start(250)
    expect([ids()?.length, list.get().hasMore]).toEqual([100, true])
    await list.loadAll()
    expect(ids()).toEqual(range(250, 1))
    expect(list.get()).toMatchObject({ hasMore: false, isLoading: false })
  })

  it('loads a page once, however often it is requested; the first one repeats the state', async () => {
    const { list, control } = start(250)
    await Promise.all([list.loadMore(), list.loadMore()])
    expect(control.bodies('conversation.list')).toEqual([{ limit: 100 }, { limit: 100, before: '100' }])
  })

  it('loads everything, also when a page is being loaded already', async () => {
    const { list, ids } = start(350)
    const page = list.loadMore()
    await list.loadAll()
    await page
    expect(ids()).toEqual(range(350, 1))
  })

  it('loads the next page for a subscriber that requests it as soon as nothing is loading', async () => {
    const { list, ids } = start(350)
    const request = () => {
      const { hasMore, isLoading } = list.get()
      if (hasMore && !isLoading) void list.loadMore()
    }
    list.subscribe(request)
    request()
    await expect.poll(() => ids()?.length).toBe(350)
  })

  it('prefers the state and events to listed values', async () => {
    const { list, control, all, show } = start(150)
    await list.loadAll()
    const titleOf = (id: number) => list.get().conversations?.find(each => each.user_id === String(id))?.title
    control.emit('conversation.changed', {
      conversation: aConversation(10, { title: 'Renamed' }),
      unread_conversations: 0,
      unmuted_unread_conversations: 0,
    })
    show([aConversation(20, { title: 'Newest', activity_at_ms: 1_000 }), ...all.slice(0, 99)])
    expect([titleOf(10), titleOf(20), titleOf(51)]).toEqual(['Renamed', 'Newest', 'Person 51'])
    expect(list.get().conversations).toHaveLength(150)
    expect(list.get().conversations?.[0]?.user_id).toBe('20')
  })

  it('drops a removed conversation, wherever it was', async () => {
    const { list, control, all, show, ids } = start(150)
    await list.loadAll()
    control.emit('conversation.removed', {
      chat_id: 'direct:7-10',
      unread_conversations: 0,
      unmuted_unread_conversations: 0,
    })
    show(all.filter(each => each.user_id !== '149'))
    control.emit('conversation.removed', {
      chat_id: 'direct:7-149',
      unread_conversations: 0,
      unmuted_unread_conversations: 0,
    })
    expect(ids()).toEqual(range(150, 1).filter(id => id !== 10 && id !== 149))
  })

  it('loads again after events were missed', async () => {
    const { list, control, ids } = start(150)
    await list.loadAll()
    control.emitSnapshot()
    expect([ids(), list.get().hasMore]).toEqual([range(150, 51), true])
  })

  it('can try again after a failure', async () => {
    const { list, control, ids } = start(150)
    const handler = control.handlers['conversation.list']
    control.handlers['conversation.list'] = () => Promise.reject(new Error('lost'))
    await list.loadAll()
    expect(list.get()).toMatchObject({ hasFailed: true, hasMore: true })
    if (handler) control.handlers['conversation.list'] = handler
    await list.loadMore()
    expect(ids()).toHaveLength(150)
  })
})
