import { describe, expect, it } from 'vitest'
import { layerFor, orderedEncodings, scalesOf } from './layers.ts'

const simulcast = [4, 2, 1]

describe('layerFor and scalesOf', () => {
  it('choose the smallest layer that suffices for the displayed size (G7)', () => {
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

  it('derive one scale per encoding, halved each time or as signalled (G7)', () => {
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

const named = (...rids: string[]) => rids.map(rid => ({ rid }))
const ridsOf = (encodings: { rid: string; maxBitrate?: number }[]) =>
  orderedEncodings(encodings).map(({ rid }) => rid)

it.each([
  ['samples of browsers', named('f', 'h', 'q'), ['q', 'h', 'f']],
  ['others', named('h', 'm', 'l'), ['l', 'm', 'h']],
  ['two of them', named('h', 'l'), ['l', 'h']],
  ['OBS, in any order', named('1', '0', '2'), ['2', '1', '0']],
  ['nobody knows', named('b', 'a'), ['b', 'a']],
])('simulcast is ordered from the smallest to the best by the names of %s', (_, encodings, order) => {
  expect(ridsOf(encodings)).toEqual(order)
})

it('simulcast is ordered by its scales and bitrates before its names (WHIP-2)', () => {
  const scaled = [
    { rid: 'l' },
    { rid: 'm', scaleResolutionDownBy: 2 },
    { rid: 'h', scaleResolutionDownBy: 4 },
  ]
  expect(ridsOf(scaled)).toEqual(['h', 'm', 'l'])
  expect(scalesOf(orderedEncodings(scaled))).toEqual([4, 2, 1])
  expect(
    ridsOf([
      { rid: 'q', maxBitrate: 900_000 },
      { rid: 'f', maxBitrate: 100_000 },
    ]),
  ).toEqual(['f', 'q'])
})
