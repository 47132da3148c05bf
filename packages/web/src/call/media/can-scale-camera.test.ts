import { describe, expect, it } from 'vitest'
import { canScale, type Machine } from './can-scale-camera.ts'

const asked: MediaEncodingConfiguration[] = []
const machine = (info: Partial<MediaCapabilitiesInfo>, more: Partial<Machine> = {}): Machine => ({
  hardwareConcurrency: 8,
  userAgentData: { mobile: false },
  mediaCapabilities: {
    encodingInfo: async configuration => {
      asked.push(configuration)
      return { supported: true, smooth: true, powerEfficient: false, configuration, ...info }
    },
  },
  ...more,
})

describe('a camera with spatial layers', () => {
  it('is encoded by hardware, or by many cores of a computer', async () => {
    expect(await canScale(machine({ powerEfficient: true }, { hardwareConcurrency: 2 }))).toBe(true)
    expect(await canScale(machine({}))).toBe(true)
    expect(asked.at(-1)).toMatchObject({
      type: 'webrtc',
      video: { contentType: 'video/VP9', scalabilityMode: 'L3T3_KEY' },
    })
  })

  it('is too much for others', async () => {
    expect(await canScale(machine({ supported: false, powerEfficient: true }))).toBe(false)
    expect(await canScale(machine({ smooth: false }))).toBe(false)
    expect(await canScale(machine({}, { hardwareConcurrency: 4 }))).toBe(false)
    expect(await canScale(machine({}, { userAgentData: { mobile: true } }))).toBe(false)
  })

  it('is not sent by browsers that do not know scalability modes', async () => {
    const { userAgentData, ...others } = machine({ powerEfficient: true })
    expect(await canScale(others)).toBe(false)
    expect(await canScale({ hardwareConcurrency: 8, userAgentData: { mobile: false } })).toBe(false)
    const encodingInfo = () => Promise.reject(new TypeError('not a valid type'))
    expect(await canScale(machine({}, { mediaCapabilities: { encodingInfo } }))).toBe(false)
  })
})
