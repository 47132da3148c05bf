import { describe, expect, it } from 'vitest'
import { encodingOf } from './encodings.ts'

const modesOf = (codec: string) =>
  encodingOf('camera', codec).encodings?.map(({ scalabilityMode }) => scalabilityMode)

describe('a camera', () => {
  it('is sent in three encodings', () => {
    for (const codec of ['video/VP8', 'video/H264']) expect(modesOf(codec)).toEqual(['L1T3', 'L1T3', 'L1T3'])
  })

  it('is sent in one encoding of three layers where the codec knows layers', () => {
    for (const codec of ['video/VP9', 'video/AV1']) expect(modesOf(codec)).toEqual(['L3T3_KEY'])
  })
})
