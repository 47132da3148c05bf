import type { CallInfo } from '@lectern/protocol/control/client'
import { beforeEach, expect, it } from 'vitest'
import { createTestConnection } from '../account-connection/testing.ts'
import { CurrentRoom } from '../site/current-room.ts'
import { StoredValue } from '../stored-value.ts'
import { makeStorage } from '../testing.ts'
import { CallFlow } from './call-flow.ts'
import { StartedCalls } from './started-calls.ts'
import { aCall, anOwnCall, viewOf } from './testing/call.ts'

function setUp(locks?: LockManager) {
  const { control, connection } = createTestConnection()
  const room = new CurrentRoom()
  const storage = makeStorage()
  const startedCalls = new StartedCalls(new StoredValue('started', () => storage), locks)
  const done: string[] = []
  const flow = new CallFlow(
    connection,
    { room, startedCalls, replace: path => void done.push(path) },
    {
      enter: (call, withCamera) => {
        startedCalls.remove(call.call_id)
        done.push(`enter ${call.call_id} ${withCamera}`)
      },
      hangUp: async id => {
        done.push(`hang up ${id}`)
        return null
      },
    },
  )
  connection.open()
  const show = (...calls: CallInfo[]) => control.view.set(viewOf(...calls))
  return { flow, room, startedCalls, done, show }
}

let test: ReturnType<typeof setUp>
beforeEach(() => {
  test = setUp()
})
const ringing = () => test.flow.get().map(({ call_id }) => call_id)

it('rings for calls that the user has not answered, the oldest first', () => {
  test.show(aCall('3'), aCall('2', { state: 'active' }), anOwnCall('1'))
  expect(ringing()).toEqual(['2', '3'])
  test.show(aCall('3'), aCall('2', { people: [{ user_id: '7', display_name: '', state: 'accepted' }] }))
  expect(ringing()).toEqual(['3'])
  test.show()
  expect(ringing()).toEqual([])
})

it('does not ring for a call whose conference the user is in', () => {
  test.show(aCall('2'))
  test.room.enter('tag-2')
  expect(ringing()).toEqual([])
})

it('enters a call that this tab has started, once a person answers', async () => {
  test.startedCalls.add('1')
  test.show(anOwnCall('1'), anOwnCall('2', { state: 'active' }))
  expect(test.done).toEqual([])
  test.show(anOwnCall('1', { state: 'active', video: false }))
  test.show(anOwnCall('1', { state: 'active', video: false, revision: 3 }))
  await expect.poll(() => test.done, { interval: 2 }).toEqual(['enter 1 false'])
})

it('enters a call in one of two tabs, when one is the copy of the other', async () => {
  const taken = new Set<string>()
  const locks = {
    request: async (name: string, _: LockOptions, hold: (lock: Lock | null) => unknown) => {
      const isFree = !taken.has(name)
      taken.add(name)
      return hold(isFree ? { name, mode: 'exclusive' } : null)
    },
  } as LockManager
  const [tab, copy] = [setUp(locks), setUp(locks)]
  for (const { startedCalls } of [tab, copy]) startedCalls.add('1')
  for (const { show } of [tab, copy]) show(anOwnCall('1', { state: 'active', video: false }))
  await expect.poll(() => tab.done, { interval: 2 }).toEqual(['enter 1 false'])
  expect(copy.done).toEqual([])
  expect(copy.startedCalls.has('1')).toBe(false)
})

it('hangs up when the user leaves the conference, and shows the call', () => {
  test.show(aCall('2', { state: 'active' }))
  test.room.enter('tag-2')
  test.room.end({ isOwnChoice: true, isPageKept: true })
  expect(test.done).toEqual(['hang up 2', '/calls/2'])
})

it('shows a call that the others have ended, also after it is not in the state any more', () => {
  test.show(aCall('2', { state: 'active' }))
  test.room.enter('tag-2')
  test.show()
  test.room.end({ isOwnChoice: false, isPageKept: true })
  expect(test.done).toEqual(['/calls/2'])
})

it('leaves the page alone when another one is shown, or after a conference without a call', () => {
  test.show(aCall('2', { state: 'active' }))
  test.room.enter('tag-2')
  test.room.end({ isOwnChoice: true, isPageKept: false })
  test.room.enter('meeting')
  test.room.end({ isOwnChoice: true, isPageKept: true })
  expect(test.done).toEqual(['hang up 2'])
})

it('does nothing after it is closed', () => {
  test.flow.close()
  test.show(aCall('2'))
  expect(ringing()).toEqual([])
})
