import type { JsonObject } from '@lectern/protocol/control'
import { expect, it } from 'vitest'
import { GrowingStrokes, withGrowth } from './growing-strokes.ts'

it('knows when the first of the strokes began that are drawn, until they are stored, given up, or take too long', () => {
  const strokes = new GrowingStrokes()
  const inked = (id: string, atMs: number) => strokes.inked('page0001', id, atMs / 100, atMs)
  expect(strokes.sinceMs(0)).toBe(Number.POSITIVE_INFINITY)
  for (let atMs = 0; atMs <= 10_000; atMs += 100) inked('long', atMs)
  inked('short', 9_000)
  expect(strokes.sinceMs(15_000)).toBe(0)
  inked('later', 15_000)
  expect(strokes.sinceMs(15_100)).toBe(15_000)
  for (let atMs = 15_000; atMs <= 75_100; atMs += 1_000) inked('later', atMs)
  expect(strokes.sinceMs(75_100)).toBe(Number.POSITIVE_INFINITY)
  inked('stored', 80_000)
  expect(strokes.sinceMs(80_100)).toBe(80_000)
  strokes.stored('page0001', ['stored'])
  expect(strokes.sinceMs(80_100)).toBe(Number.POSITIVE_INFINITY)
})

it('passes with a stroke that is stored how it has grown, of which there is a bounded number of steps', () => {
  const strokes = new GrowingStrokes()
  const passed: JsonObject[] = []
  const nothing = () => {}
  const listener = withGrowth(
    { changed: nothing, opened: nothing, happened: (_page, _name, body) => passed.push(body) },
    strokes,
  )
  listener.inked?.('page0001', 'stroke-01', 1, 1_000)
  listener.inked?.('page0001', 'stroke-01', 9, 1_100)
  listener.inked?.('page0002', 'stroke-01', 5, 1_200)
  const elements = ['stroke-01', 'stroke-02'].map(element_id => ({ element_id }))
  listener.happened('page0001', 'board.elements', { elements }, 1_300)
  listener.happened('page0001', 'board.deleted', { elements }, 1_400)
  expect(passed).toEqual([
    {
      elements,
      grown: {
        'stroke-01': [
          [1, 1_000],
          [9, 1_100],
        ],
      },
    },
    { elements },
  ])
  for (let at = 0; at < 10_000; at++) strokes.inked('page0001', 'hostile', at, at)
  const growth = strokes.stored('page0001', ['hostile']).hostile
  expect([growth?.length, growth?.at(-1)]).toEqual([600, [9_999, 9_999]])
})
