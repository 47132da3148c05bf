import { describe, expect, it } from 'vitest'
import {
  dueEnd,
  isClosed,
  isEnding,
  type LifecycleState,
  onEndDecided,
  onEndStored,
  onLeaseLost,
  onPresenceChanged,
} from './lifecycle.ts'

const NOW = 60_000
const GRACE = 30_000

const active: LifecycleState = { is: 'active' }
const empty: LifecycleState = { is: 'empty', sinceMs: 40_000 }
const ending: LifecycleState = { is: 'ending', reason: 'closed' }
const ended: LifecycleState = { is: 'ended', reason: 'closed' }
const lost: LifecycleState = { is: 'lost' }

const transitions = {
  'somebody connects': (state: LifecycleState) => onPresenceChanged(state, true, NOW),
  'the last participant disconnects': (state: LifecycleState) => onPresenceChanged(state, false, NOW),
  'an end is decided': (state: LifecycleState) => onEndDecided(state, 'ended'),
  'the end is stored': onEndStored,
  'the lease is lost': onLeaseLost,
}

const table: [LifecycleState, { [Name in keyof typeof transitions]: LifecycleState }][] = [
  [
    active,
    {
      'somebody connects': active,
      'the last participant disconnects': { is: 'empty', sinceMs: NOW },
      'an end is decided': { is: 'ending', reason: 'ended' },
      'the end is stored': active,
      'the lease is lost': lost,
    },
  ],
  [
    empty,
    {
      'somebody connects': active,
      'the last participant disconnects': empty,
      'an end is decided': { is: 'ending', reason: 'ended' },
      'the end is stored': empty,
      'the lease is lost': lost,
    },
  ],
  [
    ending,
    {
      'somebody connects': ending,
      'the last participant disconnects': ending,
      'an end is decided': ending,
      'the end is stored': ended,
      'the lease is lost': lost,
    },
  ],
  [
    ended,
    {
      'somebody connects': ended,
      'the last participant disconnects': ended,
      'an end is decided': ended,
      'the end is stored': ended,
      'the lease is lost': ended,
    },
  ],
  [
    lost,
    {
      'somebody connects': lost,
      'the last participant disconnects': lost,
      'an end is decided': lost,
      'the end is stored': lost,
      'the lease is lost': lost,
    },
  ],
]

describe('the life cycle of a session', () => {
  const cases = table.flatMap(([from, row]) =>
    Object.entries(row).map(([name, to]) => ({ from, name: name as keyof typeof transitions, to })),
  )

  it.each(cases)('is $to.is after $from.is when $name', ({ from, name, to }) => {
    expect(transitions[name](from)).toEqual(to)
  })

  it.each([
    { state: active, due: null, isOnItsWayOut: false, isGone: false },
    { state: empty, due: null, isOnItsWayOut: false, isGone: false },
    {
      state: { is: 'empty', sinceMs: NOW - GRACE } as const,
      due: 'empty',
      isOnItsWayOut: false,
      isGone: false,
    },
    { state: ending, due: 'closed', isOnItsWayOut: true, isGone: false },
    { state: ended, due: null, isOnItsWayOut: true, isGone: true },
    { state: lost, due: null, isOnItsWayOut: true, isGone: true },
  ])('in state $state.is has its end due: $due', ({ state, due, isOnItsWayOut, isGone }) => {
    expect(dueEnd(state, NOW, GRACE)).toBe(due)
    expect([isEnding(state), isClosed(state)]).toEqual([isOnItsWayOut, isGone])
  })
})
