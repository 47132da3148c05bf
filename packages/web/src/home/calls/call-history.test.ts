import { setImmediate as immediate } from 'node:timers/promises'
import { beforeEach, expect, it } from 'vitest'
import { createTestConnection } from '../../account-connection/testing.ts'
import { aCall, viewOf } from '../../calls/testing/call.ts'
import { CallHistory } from './call-history.ts'

function setUp(missed = 0) {
  const { control, connection } = createTestConnection()
  const stored = ['5', '4', '3', '2', '1']
  control.handlers['call.list'] = ({ before }) => {
    const rest = stored.filter(id => before === undefined || Number(id) < Number(before))
    return { calls: rest.slice(0, 2).map(id => aCall(id)), has_more: rest.length > 2 }
  }
  connection.open()
  control.view.set({ ...viewOf(), missed_calls: missed })
  return { control, stored, history: new CallHistory(connection) }
}

let test: ReturnType<typeof setUp>
beforeEach(() => {
  test = setUp()
})
/** Resolves when the newest calls are there, with what closes it. */
async function opened({ history }: ReturnType<typeof setUp>): Promise<() => void> {
  const close = history.open()
  await immediate() // the fake connection answers before
  return close
}
const shown = ({ history }: ReturnType<typeof setUp>) => {
  const state = history.get()
  return state.is === 'loaded'
    ? [state.calls.map(({ call_id }) => call_id).join(''), state.hasMore]
    : state.is
}

it('loads pages, the newest calls first', async () => {
  expect(shown(test)).toBe('loading')
  await test.history.reload()
  expect(shown(test)).toEqual(['54', true])
  await test.history.loadMore()
  await test.history.loadMore()
  expect(shown(test)).toEqual(['54321', false])
})

it('adds and changes calls with events, and never goes back', async () => {
  await opened(test)
  test.control.emit('call.changed', { call: aCall('6') })
  test.control.emit('call.changed', { call: aCall('5', { state: 'ended', reason: 'missed', revision: 3 }) })
  test.control.emit('call.changed', { call: aCall('5', { state: 'active', revision: 2 }) })
  expect(shown(test)).toEqual(['654', true])
  const state = test.history.get()
  expect(state.is === 'loaded' && state.calls[1]?.reason).toBe('missed')
})

it('loads again after a snapshot, while it is open', async () => {
  const close = await opened(test)
  test.control.emitSnapshot()
  expect(test.control.bodies('call.list')).toHaveLength(2)
  close()
  test.control.emitSnapshot()
  test.control.emit('call.changed', { call: aCall('6') })
  expect(test.control.bodies('call.list')).toHaveLength(2)
  expect(shown(test)).toEqual(['54', true])
})

it('keeps older calls when it is opened again, unless some between are unknown', async () => {
  const close = await opened(test)
  await test.history.loadMore()
  close()
  test.stored.unshift('6')
  await opened(test)
  expect(shown(test)).toEqual(['65432', true])
  await test.history.loadMore()
  expect(shown(test)).toEqual(['654321', false])
  test.stored.unshift('9', '8', '7')
  await opened(test)
  expect(shown(test)).toEqual(['98', true])
})

it('reports a failure, and keeps what it has', async () => {
  const list = test.control.handlers['call.list']
  const fail = () => {
    throw new Error('gone')
  }
  test.control.handlers['call.list'] = fail
  await test.history.reload()
  expect(shown(test)).toBe('failed')
  if (list) test.control.handlers['call.list'] = list
  await test.history.reload()
  test.control.handlers['call.list'] = fail
  await test.history.loadMore()
  expect(shown(test)).toEqual(['54', true])
})

it('marks missed calls as seen, and only those', async () => {
  await opened(test)
  expect(test.control.bodies('call.seen')).toEqual([])
  const missed = setUp(3)
  await opened(missed)
  expect(missed.control.bodies('call.seen')).toEqual([{ call_id: '5' }])
  // A call that is missed while the list is shown.
  test.control.emit('call.changed', { call: aCall('6', { state: 'ended', reason: 'missed' }) })
  test.control.view.set({ ...viewOf(), missed_calls: 1 })
  test.control.emit('call.unseen', { missed_calls: 1 })
  expect(test.control.bodies('call.seen')).toEqual([{ call_id: '6' }])
})
