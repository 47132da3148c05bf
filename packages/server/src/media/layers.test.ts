import { describe, expect, it } from 'vitest'
import { layerFor, scalesOf } from './layers.ts'

const simulcast = [4, 2, 1]

describe('layerFor and scalesOf', () => {
  it('choose the smallest layer that suffices for the displayed size', () => {
    const heights = [90, 180, 225, 226, 360, 450, 451, 720, 2000]
    const layers = heights.map(height => layerFor({ width: 16, height }, 'camera', simulcast))
    expect(layers).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2])
  })

  it('choose by the width when video fills a flat tile', () => {
    expect(layerFor({ width: 1280, height: 100 }, 'camera', simulcast)).toBe(2)
  })

  it('assume larger layers for screens', () => {
    expect(layerFor({ width: 16, height: 540 }, 'screen', [2, 1])).toBe(0)
    expect(layerFor({ width: 16, height: 540 }, 'camera', [2, 1])).toBe(1)
  })

  it('assume smaller layers for cameras that send fewer of them', () => {
    const layers = [180, 225, 226, 480].map(height => layerFor({ width: 16, height }, 'camera', [2, 1]))
    expect(layers).toEqual([0, 0, 1, 1])
    expect(layerFor({ width: 16, height: 720 }, 'camera', [1])).toBe(0)
  })

  it('derive one scale per encoding, halved each time or as signalled', () => {
    expect(scalesOf([{ rid: 'a' }, { rid: 'b' }, { rid: 'c' }])).toEqual([4, 2, 1])
    const scaled = [6, 1].map(scaleResolutionDownBy => ({ rid: 'x', scaleResolutionDownBy }))
    expect(scalesOf(scaled)).toEqual([6, 1])
  })

  it('read the spatial layers of one encoding from its scalability mode', () => {
    expect(scalesOf([{ ssrc: 1, scalabilityMode: 'L3T3_KEY' }])).toEqual([4, 2, 1])
    expect(scalesOf([{ ssrc: 1, scalabilityMode: 'L1T2' }])).toEqual([1])
    expect(scalesOf([{ ssrc: 1 }])).toEqual([1])
  })
})
