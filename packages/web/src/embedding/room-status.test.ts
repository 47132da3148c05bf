import { WritableObservable } from '@lectern/common'
import { describe, expect, it } from 'vitest'
import type { Route } from '../site/router.ts'
import { eventsBetween, type RoomStatus, RoomStatusObserver } from './room-status.ts'

const joined = (changes = {}): RoomStatus => ({
  is: 'joined',
  participants: 1,
  recording: false,
  microphone: true,
  camera: false,
  ...changes,
})
const outside: RoomStatus = { is: 'outside' }
const over = (reason: string): RoomStatus => ({ is: 'over', reason })
const failed = (code: string): RoomStatus => ({ is: 'failed', code })

describe('the events between two states', () => {
  it.each<[before: RoomStatus, after: RoomStatus, events: object[]]>([
    [
      outside,
      joined(),
      [{ name: 'joined', participants: 1, recording: false, microphone: true, camera: false }],
    ],
    [joined(), joined(), []],
    [joined(), joined({ participants: 2 }), [{ name: 'participants', participants: 2 }]],
    [joined(), joined({ recording: true }), [{ name: 'recording', recording: true }]],
    [joined(), joined({ camera: true }), [{ name: 'devices', microphone: true, camera: true }]],
    [joined(), outside, [{ name: 'left', reason: 'left' }]],
    [joined(), over('left'), [{ name: 'left', reason: 'left' }]],
    [joined(), over('removed'), [{ name: 'left', reason: 'removed' }]],
    [
      joined(),
      over('closed'),
      [
        { name: 'left', reason: 'closed' },
        { name: 'ended', reason: 'closed' },
      ],
    ],
    [
      joined(),
      over('signed_out'),
      [
        { name: 'left', reason: 'signed_out' },
        { name: 'error', code: 'signed_out' },
      ],
    ],
    [outside, over('cancelled'), [{ name: 'ended', reason: 'cancelled' }]],
    [outside, over('full'), [{ name: 'error', code: 'full' }]],
    [over('closed'), over('closed'), []],
    [outside, failed('link_rotated'), [{ name: 'error', code: 'link_rotated' }]],
    [failed('unreachable'), failed('unreachable'), []],
    [over('left'), outside, []],
  ])('%j → %j', (before, after, events) => {
    expect(eventsBetween(before, after)).toEqual(events)
  })
})

describe('the status of the room', () => {
  it('follows the page, the link, the call and the devices', () => {
    const input = () => new WritableObservable<{ is: string }>({ is: 'off' })
    const [microphone, camera] = [input(), input()]
    const link = new WritableObservable<object>({ is: 'opening' })
    const visit = Object.assign(new WritableObservable<object>({ is: 'prejoin' }), {
      link,
      devices: { microphone, camera },
    })
    const route = new WritableObservable<object>({ is: 'visit', visit })
    const status = new RoomStatusObserver(route as unknown as WritableObservable<Route>)
    expect(status.get()).toEqual(outside)

    link.set({ is: 'waiting', problem: 'unreachable' })
    expect(status.get()).toEqual(failed('unreachable'))
    link.set({ is: 'refused', reason: 'room_closed' })
    expect(status.get()).toEqual(over('closed'))
    link.set({ is: 'refused', reason: 'link_rotated' })
    expect(status.get()).toEqual(failed('link_rotated'))
    link.set({ is: 'open' })
    expect(status.get()).toEqual(outside)

    const call = new WritableObservable<object>({ is: 'joining' })
    visit.set({ is: 'room', room: { call } })
    expect(status.get()).toEqual(outside)
    call.set({ is: 'joined', session: { participants: [1, 2], recording: true } })
    expect(status.get()).toEqual({ ...joined(), participants: 2, recording: true, microphone: false })
    microphone.set({ is: 'on' })
    expect(status.get()).toMatchObject({ microphone: true })
    call.set({ is: 'ended', reason: 'removed' })
    expect(status.get()).toEqual(over('removed'))
    visit.set({ is: 'failed' })
    expect(status.get()).toEqual(failed('page_failed'))
    call.set({ is: 'joined', session: { participants: [1], recording: false } })
    expect(status.get()).toEqual(failed('page_failed')) // of a call that is not current
    route.set({ is: 'not-found' })
    expect(status.get()).toEqual(failed('not_found'))
  })
})
