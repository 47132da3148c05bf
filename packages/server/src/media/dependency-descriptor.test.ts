import { describe, expect, it } from 'vitest'
import { withDependencies } from './dependency-descriptor.ts'

const of = (mimeType: string) => ({
  codecs: [{ mimeType, payloadType: 101, clockRate: 90_000 }],
  headerExtensions: [{ uri: 'urn:ietf:params:rtp-hdrext:sdes:mid' as const, id: 1 }],
})

describe('what a viewer is told', () => {
  it('has the dependency descriptor of AV1, under the id that mediasoup sends it with', () => {
    const [mid, dependencies, ...rest] = withDependencies(of('video/AV1')).headerExtensions ?? []
    expect(mid).toEqual({ uri: 'urn:ietf:params:rtp-hdrext:sdes:mid', id: 1 })
    expect(dependencies).toEqual({ uri: expect.stringContaining('#dependency-descriptor'), id: 8 })
    expect(rest).toEqual([])
  })

  it('is what mediasoup tells for all other codecs', () => {
    expect(withDependencies(of('video/VP9'))).toEqual(of('video/VP9'))
  })
})
