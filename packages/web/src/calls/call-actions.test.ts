import { ControlFailure } from '@lectern/control-client'
import { beforeEach, expect, it } from 'vitest'
import { createTestConnection } from '../account-connection/testing.ts'
import type { RejoinState } from '../rejoin-state.ts'
import { StoredValue } from '../stored-value.ts'
import { blockedStorage, makeStorage } from '../testing.ts'
import { CallActions } from './call-actions.ts'
import { StartedCalls } from './started-calls.ts'
import { aCall, anOwnCall, viewOf } from './testing/call.ts'

function setUp(isStorageBlocked = false) {
  const { control, connection } = createTestConnection()
  const paths: string[] = []
  const entered: RejoinState[] = []
  const storage = makeStorage()
  const startedCalls = new StartedCalls(
    new StoredValue('started', isStorageBlocked ? blockedStorage : () => storage),
  )
  const actions = new CallActions(connection, {
    go: path => void paths.push(path),
    enterRoom: as => void entered.push(as),
    startedCalls,
  })
  return { control, connection, actions, paths, entered, startedCalls }
}

let test: ReturnType<typeof setUp>
beforeEach(() => {
  test = setUp()
})

it('starts a call, shows it, and remembers that this tab has started it', async () => {
  test.control.handlers['call.invite'] = () => ({ call: anOwnCall('1') })
  expect(await test.actions.start(['8'], true)).toBeNull()
  expect(test.control.commands).toMatchObject([
    { name: 'call.invite', target: { kind: 'operation', id: 'new' }, body: { user_ids: ['8'], video: true } },
  ])
  expect([test.paths, test.startedCalls.has('1'), test.entered]).toEqual([['/calls/1'], true, []])
})

it('enters at once when the other has called at the same time', async () => {
  test.control.handlers['call.invite'] = () => ({ call: aCall('2', { state: 'active' }) })
  await test.actions.start(['8'], false)
  expect(test.entered).toEqual([
    { tag: 'tag-2', displayName: 'Anna', userId: 7, microphone: true, camera: false },
  ])
})

it('enters with the name that the account has now', () => {
  test.connection.open()
  test.control.view.set({ ...viewOf(), display_name: 'Anne' })
  test.actions.enter(aCall('2'), false)
  expect(test.entered).toMatchObject([{ displayName: 'Anne' }])
})

it('enters what the server has accepted, and nothing else', async () => {
  expect(await test.actions.accept(aCall('2'), true)).toBeNull()
  expect(test.entered).toMatchObject([{ tag: 'tag-2', camera: true }])
  test.control.handlers['call.accept'] = () => {
    throw new ControlFailure('permission_denied', 'no', { reason: 'answered_elsewhere' })
  }
  expect(await test.actions.accept(aCall('3'), true)).toBe('elsewhere')
  expect(test.entered).toHaveLength(1)
})

it.each([
  [new ControlFailure('permission_denied', '', { reason: 'not_callable' }), 'not_callable'],
  [new ControlFailure('resource_exhausted', '', { reason: 'too_many_calls' }), 'too_many'],
  [new ControlFailure('rate_limited'), 'too_many'],
  [new ControlFailure('permission_denied', '', { reason: 'call_over' }), 'over'],
  [new ControlFailure('deadline_exceeded'), 'unreachable'],
  [new TypeError('gone'), 'unreachable'],
])('names what went wrong: %s', async (failure, problem) => {
  test.control.handlers['call.invite'] = () => {
    throw failure
  }
  expect(await test.actions.start(['8'], true)).toBe(problem)
  expect(test.paths).toEqual([])
})

it('remembers the last ten started calls, also where storage is blocked', () => {
  for (const { startedCalls } of [test, setUp(true)]) {
    for (let id = 1; id <= 12; id++) startedCalls.add(String(id))
    startedCalls.remove('12')
    expect(['2', '3', '11', '12'].map(startedCalls.has)).toEqual([false, true, true, false])
  }
})
