import { describe, expect, it } from 'vitest'
import type { Member } from '../members/members.ts'
import { chooseNode } from './node-placement.ts'

const node = (
  id: string,
  load: Partial<Record<string, number>> = {},
  more: Partial<Member> = {},
): Member => ({
  id,
  name: id,
  advertise: '',
  region: '',
  version: '1',
  role: 'media-node',
  load: { load: 0.1, descriptors: 0.1, workers: 1, ...load } as Record<string, number>,
  draining: false,
  isStoreReachable: false,
  isRegistered: false,
  receivesEventLists: true,
  keyIds: [],
  ...more,
})

const choose = (
  members: Member[],
  {
    region = '',
    excluded = [] as string[],
    placed = {} as Record<string, number>,
    participants = {} as Record<string, number>,
    publications = 0,
  } = {},
) =>
  chooseNode(members, {
    region,
    excluded: id => excluded.includes(id),
    placedOn: id => placed[id] ?? 0,
    participants: new Map(Object.entries(participants)),
    publications,
  })?.id ?? null

describe('NODE-1 the media node for a session', () => {
  it('is the least loaded one', () => {
    expect(choose([node('a', { load: 0.4 }), node('b', { load: 0.2 }), node('c', { load: 0.3 })])).toBe('b')
  })

  it('is never one that drains, has no worker, is excluded, or is no media node', () => {
    const unusable = [
      node('a', {}, { draining: true }),
      node('b', { workers: 0 }),
      node('c'),
      node('d', {}, { role: 'server' }),
      node('e', {}, { load: {} }),
    ]
    expect(choose(unusable, { excluded: ['c'] })).toBeNull()
    expect(choose(unusable)).toBe('c')
    expect(choose([])).toBeNull()
  })

  it('is in the region, unless all nodes there are full', () => {
    const near = node('near', { load: 0.9 }, { region: 'eu' })
    const far = node('far', { load: 0 }, { region: 'us' })
    expect(choose([near, far], { region: 'eu' })).toBe('near')
    expect(choose([near, far], { region: 'asia' })).toBe('far')
    expect(choose([node('near', { load: 1.2 }, { region: 'eu' }), far], { region: 'eu' })).toBe('far')
  })

  it('has file descriptors left, if one has', () => {
    const scarce = node('a', { load: 0, descriptors: 0.85 })
    expect(choose([scarce, node('b', { load: 0.7 })])).toBe('b')
    expect(choose([scarce])).toBe('a')
  })

  it('changes while many sessions are placed between two reports', () => {
    const members = [node('a', { load: 0.1 }), node('b', { load: 0.12 })]
    expect(choose(members)).toBe('a')
    expect(choose(members, { placed: { a: 20 } })).toBe('b')
  })
})

describe('NODE-9 the media node for a further participant', () => {
  const busy = node('a', { load: 0.9 })
  const idle = node('b', { load: 0 })

  it('is one of the session, however loaded, until it is full', () => {
    expect(choose([busy, idle], { participants: { a: 1 } })).toBe('a')
    expect(choose([node('a', { load: 1 }), idle], { participants: { a: 1 } })).toBe('b')
    expect(choose([node('a', { descriptors: 0.9 }), idle], { participants: { a: 1 } })).toBe('b')
    expect(choose([node('a', {}, { draining: true }), idle], { participants: { a: 1 } })).toBe('b')
  })

  it('is the least loaded one of the session, also when all nodes are full', () => {
    const c = node('c', { load: 0.5 })
    expect(choose([busy, idle, c], { participants: { a: 1, c: 1 } })).toBe('c')
    const full = [node('a', { load: 1.5 }), node('b', { load: 1.2 }), node('c', { load: 1.1 })]
    expect(choose(full, { participants: { a: 1, b: 1 } })).toBe('b')
  })

  it('is a further one when the session will need more than is reported yet', () => {
    const small = node('a', { load: 0, capacity: 100 })
    expect(choose([small, idle], { participants: { a: 6 } })).toBe('a') // 6 participants of 14 consumers
    expect(choose([small, idle], { participants: { a: 7 } })).toBe('b')
    expect(choose([small, idle], { participants: { a: 1 }, publications: 100 })).toBe('b')
    expect(choose([small, idle], { participants: { a: 1 }, placed: { a: 100 } })).toBe('b')
  })

  it('is in the region: one of the session, then a further one, then elsewhere', () => {
    const eu = node('eu', {}, { region: 'eu' })
    const us = node('us', {}, { region: 'us' })
    expect(choose([eu, us], { region: 'us', participants: { eu: 1 } })).toBe('us')
    expect(choose([eu, us], { region: 'asia', participants: { eu: 1 } })).toBe('eu')
    const full = node('us', { load: 1 }, { region: 'us' })
    expect(choose([eu, full], { region: 'us', participants: { us: 1 } })).toBe('eu')
  })
})
