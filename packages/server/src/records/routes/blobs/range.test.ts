import { describe, expect, it } from 'vitest'
import { readRange } from './range.ts'

describe('a range of ten bytes', () => {
  it.each([
    ['bytes=0-4', 0, 4],
    ['bytes=2-2', 2, 2],
    ['bytes=9-9', 9, 9],
    ['bytes=0-9', 0, 9],
    ['bytes=5-10', 5, 9],
    ['bytes=5-99999999999999999999999', 5, 9],
    ['bytes=0-', 0, 9],
    ['bytes=9-', 9, 9],
    ['bytes=-1', 9, 9],
    ['bytes=-10', 0, 9],
    ['bytes=-11', 0, 9],
    ['bytes=-99999999999999999999999', 0, 9],
    ['bytes=007-008', 7, 8],
    ['Bytes=1-2', 1, 2],
    [' bytes=1-2 ', 1, 2],
  ])('is read from "%s"', (header, start, end) => {
    expect(readRange(header, 10)).toEqual({ start, end })
  })

  it.each([
    ['not there', 'bytes=10-'],
    ['not there', 'bytes=10-12'],
    ['not there', 'bytes=99999999999999999999999-'],
    ['not there', 'bytes=-0'],
    ['backwards', 'bytes=5-4'],
    ['of several', 'bytes=0-1,4-5'],
    ['of several', 'bytes=0-1, -1'],
    ['of several', 'bytes=0-1,'],
    ['malformed', ''],
    ['malformed', 'bytes'],
    ['malformed', 'bytes='],
    ['malformed', 'bytes=-'],
    ['malformed', 'bytes=a-b'],
    ['malformed', 'bytes=0x1-5'],
    ['malformed', 'bytes=1.5-2'],
    ['malformed', 'bytes=+1-2'],
    ['malformed', 'bytes=1-2-3'],
    ['malformed', 'bytes=--1'],
    ['malformed', 'bytes = 1-2'],
    ['malformed', 'bytes=1 - 2'],
    ['malformed', 'items=0-1'],
    ['malformed', '0-1'],
    ['malformed', 'bytes=١-٢'],
  ])('is refused when %s: "%s"', (_, header) => {
    expect(readRange(header, 10)).toBeNull()
  })

  it('is never satisfiable in an empty file', () => {
    for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-1', 'bytes=-0'])
      expect(readRange(header, 0)).toBeNull()
  })
})
