import { describe, expect, it } from 'vitest'
import { combine, receptionOf } from './reception.ts'

const video = (current: number | null, { wanted = 2, scores = [10, 10, 10] } = {}) =>
  ({
    type: 'simulcast',
    closed: false,
    paused: false,
    producerPaused: false,
    currentLayers: current === null ? undefined : { spatialLayer: current },
    preferredLayers: { spatialLayer: wanted },
    score: { score: 10, producerScore: 10, producerScores: scores },
  }) as const

describe('receptionOf', () => {
  it('compares the layer that is sent with the one that the tile needs', () => {
    expect(receptionOf(video(2))).toBe('full')
    expect(receptionOf(video(0, { wanted: 0 }))).toBe('full')
    expect(receptionOf(video(1))).toBe('reduced')
    expect(receptionOf(video(null))).toBe('none')
  })

  it('does not attribute layers that the sender omits to the viewer’s connection', () => {
    expect(receptionOf(video(0, { scores: [10, 0, 0] }))).toBe('full')
    expect(receptionOf(video(0, { scores: [10, 7, 0] }))).toBe('reduced')
    expect(receptionOf(video(null, { scores: [0, 0, 0] }))).toBe(null)
  })

  it('is unknown while nothing is sent, and for videos that are not adapted', () => {
    expect(receptionOf({ ...video(null), paused: true })).toBe(null)
    expect(receptionOf({ ...video(null), producerPaused: true })).toBe(null)
    expect(receptionOf({ ...video(null), closed: true })).toBe(null)
    expect(receptionOf({ ...video(null), type: 'simple' })).toBe(null)
  })
})

describe('combine', () => {
  it('summarises the videos of one source', () => {
    expect(combine([])).toBe(null)
    expect(combine(['full', 'full'])).toBe('full')
    expect(combine(['full', 'reduced'])).toBe('reduced')
    expect(combine(['full', 'none', 'reduced'])).toBe('partial')
    expect(combine(['none', 'none'])).toBe('none')
  })
})
