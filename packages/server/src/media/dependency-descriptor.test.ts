import { describe, expect, it } from 'vitest'
import { withDependencyDescriptor } from './dependency-descriptor.ts'

const capabilitiesOf = (mimeType: string) => ({
  codecs: [{ mimeType, payloadType: 101, clockRate: 90_000 }],
  headerExtensions: [{ uri: 'urn:ietf:params:rtp-hdrext:sdes:mid' as const, id: 1 }],
})

describe('withDependencyDescriptor', () => {
  it('adds the dependency descriptor to AV1 under the id that mediasoup uses', () => {
    const [mid, dependencies, ...rest] =
      withDependencyDescriptor(capabilitiesOf('video/AV1')).headerExtensions ?? []
    expect(mid).toEqual({ uri: 'urn:ietf:params:rtp-hdrext:sdes:mid', id: 1 })
    expect(dependencies).toEqual({ uri: expect.stringContaining('#dependency-descriptor'), id: 7 })
    expect(rest).toEqual([])
  })

  it('leaves all other codecs unchanged', () => {
    expect(withDependencyDescriptor(capabilitiesOf('video/VP9'))).toEqual(capabilitiesOf('video/VP9'))
  })
})
