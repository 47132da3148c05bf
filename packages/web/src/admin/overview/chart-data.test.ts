import type { SampleColumns } from '@lectern/protocol'
import { expect, it } from 'vitest'
import { chartData, summaryOf } from './chart-data.ts'

const samples = {
  at_ms: [60_000, 120_000, 300_000],
  sessions: [1, 2, 3],
  incoming_bps: [null, 5, 6],
} as unknown as SampleColumns

it('interrupts the lines where minutes are missing', () => {
  expect(chartData(samples, ['sessions', 'incoming_bps'], 60_000)).toEqual([
    [60, 120, 180, 300],
    [1, 2, null, 3],
    [null, 5, null, 6],
  ])
  expect(chartData({ at_ms: [] } as unknown as SampleColumns, ['sessions'], 60_000)).toEqual([[], []])
})

it('summarises a line by its last and its greatest value', () => {
  expect(summaryOf([1, 7, 3])).toEqual({ last: 3, most: 7 })
  expect(summaryOf([1, null])).toEqual({ last: null, most: 1 })
  expect(summaryOf([])).toEqual({ last: null, most: null })
})
