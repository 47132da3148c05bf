import { describe, expect, it } from 'vitest'
import { HostedRooms } from './hosted-rooms.ts'

const ref = (incarnation: number, sessionId = 1) => ({ sessionId, incarnation })

describe('the rooms of a media node', () => {
  it('NODE-5 belong to the highest incarnation that has claimed them', () => {
    const rooms = new HostedRooms()
    expect(rooms.open(ref(2), 'a', 0)).toBe('added')
    expect(rooms.open(ref(2), 'a', 0)).toBe('known')
    expect(rooms.open(ref(1), 'b', 0)).toBe('superseded')
    expect(rooms.open(ref(2), 'b', 0)).toBe('superseded')
    expect(rooms.adopt(ref(2), 'b', 0)).toBe(false)
    expect(rooms.adopt(ref(3), 'b', 0)).toBe(true)
    expect(rooms.adopt(ref(3), 'b', 0)).toBe(true)
    expect(rooms.check(ref(2), 'a')).toBe('superseded')
    expect(rooms.check(ref(3), 'b')).toBe('owned')
    expect(rooms.check(ref(2), 'b')).toBe('superseded')
    expect(rooms.open(ref(4), 'c', 0)).toBe('replaced')
    expect(rooms.ownerOf(1)).toBe('c')
    expect(rooms.adopt(ref(9, 7), 'c', 0)).toBe(false)
    expect(rooms.check(ref(9, 7), 'c')).toBe('unknown_room')
  })

  it('NODE-6 are closed when their owner has not reported for the grace time', () => {
    const rooms = new HostedRooms()
    rooms.open(ref(1, 1), 'a', 0)
    rooms.open(ref(1, 2), 'a', 0)
    rooms.open(ref(1, 3), 'b', 0)
    expect(rooms.keep('a', [1, 2, 99], 20)).toEqual({ unknown: [99], dropped: [] })
    expect(rooms.silentFor(30, 31)).toEqual([3])
    rooms.release(2, 25) // the next owner gets the grace time, too
    expect(rooms.keep('a', [1], 40)).toEqual({ unknown: [], dropped: [] })
    expect(rooms.ownerOf(2)).toBeNull()
    expect(rooms.silentFor(30, 56)).toEqual([2, 3])
    rooms.keepAll(100)
    expect(rooms.silentFor(30, 130)).toEqual([])
  })

  it('NODE-7 are dropped when their owner no longer reports them', () => {
    const rooms = new HostedRooms()
    for (const sessionId of [1, 2]) rooms.open(ref(1, sessionId), 'a', 0)
    rooms.open(ref(1, 3), 'b', 0)
    expect(rooms.keep('a', [2], 10)).toEqual({ unknown: [], dropped: [1] })
    rooms.remove(1)
    expect(rooms.keep('a', [2], 10).dropped).toEqual([])
    expect(rooms.size).toBe(2)
  })
})
