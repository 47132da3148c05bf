import { expect, it } from 'vitest'
import { GrowingStrokes } from './growing-strokes.ts'

it('knows when the first of the strokes began that are drawn, until they are in the log or take too long', () => {
  const strokes = new GrowingStrokes()
  expect(strokes.sinceMs(0)).toBe(Number.POSITIVE_INFINITY)
  for (let atMs = 0; atMs <= 10_000; atMs += 100) strokes.inked('page0001', 'long', atMs)
  strokes.inked('page0001', 'short', 9_000)
  expect(strokes.sinceMs(15_000)).toBe(0)
  strokes.inked('page0001', 'later', 15_000)
  expect(strokes.sinceMs(15_100)).toBe(15_000)
  for (let atMs = 15_000; atMs <= 75_100; atMs += 1_000) strokes.inked('page0001', 'later', atMs)
  expect(strokes.sinceMs(75_100)).toBe(Number.POSITIVE_INFINITY)
})
