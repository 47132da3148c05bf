import { getSupportedRtpCapabilities } from 'mediasoup'
import { Device } from 'mediasoup-client'
import type { HandlerFactory, RtpCapabilities } from 'mediasoup-client/types'
import { describe, expect, it } from 'vitest'
import { receivingCapabilities } from './receiving-capabilities.ts'

const VP8 = {
  kind: 'video' as const,
  mimeType: 'video/VP8',
  clockRate: 90_000,
  parameters: {},
  rtcpFeedback: [{ type: 'nack' }, { type: 'transport-cc' }],
}
const OPUS = {
  kind: 'audio' as const,
  mimeType: 'audio/opus',
  clockRate: 48_000,
  channels: 2,
  parameters: {},
  rtcpFeedback: [],
}
/** As Chromium reports it: no other codec has such a parameter. */
const RED = { ...OPUS, mimeType: 'audio/red', parameters: { '111/111': '' } }
const H265 = { ...VP8, mimeType: 'video/H265' }
const MID = 'urn:ietf:params:rtp-hdrext:sdes:mid'

/** Capabilities with the numbers of a browser. */
const browser: RtpCapabilities = {
  codecs: [
    { ...OPUS, preferredPayloadType: 111 },
    { ...RED, preferredPayloadType: 63 },
    { ...H265, preferredPayloadType: 45 },
    { ...VP8, preferredPayloadType: 96 },
  ],
  headerExtensions: [{ kind: 'video', uri: MID, preferredId: 9 }],
}

const supported = getSupportedRtpCapabilities()
const router: RtpCapabilities = {
  codecs: [
    { ...OPUS, preferredPayloadType: 100 },
    { ...VP8, preferredPayloadType: 101 },
  ],
  headerExtensions: (supported.headerExtensions ?? []) as never,
}

describe('the capabilities of a client that does not know the router', () => {
  it('become those with which it would receive from the router', async () => {
    const combined = receivingCapabilities(browser, router)
    const handlerFactory = {
      getNativeRtpCapabilities: async () => structuredClone(browser),
    } as unknown
    const device = new Device({ handlerFactory: handlerFactory as HandlerFactory })
    await device.load({ routerRtpCapabilities: structuredClone(router) })
    expect(combined).toEqual(device.recvRtpCapabilities)
    expect(combined.codecs?.map(({ preferredPayloadType }) => preferredPayloadType)).toEqual([100, 101])
    const mid = supported.headerExtensions?.find(({ kind, uri }) => kind === 'video' && uri === MID)
    expect(combined.headerExtensions).toMatchObject([{ uri: MID, preferredId: mid?.preferredId }])
  })

  it('are refused when they are malformed, and change neither side', () => {
    const before = structuredClone([browser, router])
    receivingCapabilities(browser, router)
    expect([browser, router]).toEqual(before)
    for (const malformed of [{}, { codecs: 'all' }, { codecs: [{ ...VP8, clockRate: 'fast' }] }])
      expect(() => receivingCapabilities(malformed, router)).toThrow()
  })
})
