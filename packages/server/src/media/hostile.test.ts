import { seededRandom } from '@lectern/common/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SfuTestHarness, type TestParticipant } from './testing/harness.ts'
import { mutate } from './testing/mutate.ts'
import { dtlsParameters, h264, opus, simulcast, vp8, vp9 } from './testing/rtp.ts'

/** The level of pino. */
const DEBUG = 20

/** A refusal keeps its code across the network, not its class. */
const mediaRefusal = { code: expect.stringMatching(/^media_/) }

let harness: SfuTestHarness
let anna: TestParticipant
let ben: TestParticipant
let pids: number[]
const alive = () => harness.sfu.workers.alive.map(({ worker }) => worker.pid)

beforeAll(async () => {
  harness = await SfuTestHarness.open()
  pids = alive()
  anna = await harness.participant('anna').enter()
  ben = await harness.participant('ben').enter()
})
afterAll(() => harness.stop())

const publish = (parameters: object, source: 'camera' | 'microphone' = 'camera') =>
  anna.publish('p-1', source, { parameters })

const codecOf = (parameters: ReturnType<typeof vp8>, change: object) => ({
  ...parameters,
  codecs: [{ ...parameters.codecs[0], ...change }],
})

describe('invalid parameters from clients', () => {
  it.each<[string, object, string]>([
    ['nothing', {}, 'invalid_argument'],
    ['no codec', { ...vp8(), codecs: [] }, 'invalid_argument'],
    ['no encoding', { ...vp8(), encodings: [] }, 'invalid_argument'],
    ['audio for a camera', opus(), 'invalid_argument'],
    [
      'the same payload type twice',
      { ...vp8(), codecs: [vp8().codecs[0], vp8().codecs[0]] },
      'invalid_argument',
    ],
    ['an unknown codec', codecOf(vp8(), { mimeType: 'video/theora' }), 'unsupported_feature'],
    ['H.264 in packetization mode 0', h264('42e01f', 0), 'unsupported_feature'],
    [
      'an encoding without its codec',
      { ...vp8(), encodings: [{ ssrc: 1, codecPayloadType: 5 }] },
      'invalid_argument',
    ],
    ['RTX of nothing', codecOf(vp8(), { mimeType: 'video/rtx', parameters: { apt: 5 } }), 'invalid_argument'],
    ['RTX alone', codecOf(vp8(), { mimeType: 'video/rtx', parameters: { apt: 96 } }), 'invalid_argument'],
    ['indistinguishable encodings', { ...vp8(), encodings: [{}, {}] }, 'invalid_argument'],
    ['a parameter that is a list', codecOf(vp8(), { parameters: { x: [1] } }), 'invalid_argument'],
    ['a parameter that ends the line', codecOf(vp8(), { parameters: { x: '1\r\na=b' } }), 'invalid_argument'],
    ['a parameter with such a name', codecOf(vp8(), { parameters: { 'x\r\na': 1 } }), 'invalid_argument'],
    ['a CNAME that ends the line', { ...vp8(), rtcp: { cname: 'x\ny' } }, 'invalid_argument'],
    ['a CNAME with a space', { ...vp8(), rtcp: { cname: 'x y' } }, 'invalid_argument'],
    ['a CNAME that RTCP cannot carry', { ...vp8(), rtcp: { cname: 'x'.repeat(256) } }, 'invalid_argument'],
    ['a stream id that ends the line', { ...vp8(), msid: 'x\ny track' }, 'invalid_argument'],
    ['a third id of the stream', { ...vp8(), msid: 'stream track x' }, 'invalid_argument'],
    [
      'an unknown header extension',
      { ...vp8(), headerExtensions: [{ uri: 'x', id: 1 }] },
      'invalid_argument',
    ],
  ])('are refused: %s', async (_, parameters, code) => {
    await expect(publish(parameters)).rejects.toMatchObject({ ...mediaRefusal, controlCode: code })
  })

  it('are refused for a microphone with layers', async () => {
    const layered = { ...opus(), encodings: [{ ssrc: 1 }, { ssrc: 2 }] }
    await expect(publish(layered, 'microphone')).rejects.toMatchObject({ controlCode: 'unsupported_feature' })
  })

  it('are refused as capabilities', async () => {
    for (const wrong of [{}, { codecs: 7 }, { codecs: [{}] }, { codecs: [], headerExtensions: [{ uri: 1 }] }])
      await expect(ben.receive(wrong)).rejects.toMatchObject({ controlCode: 'invalid_argument' })
  })

  it('leave the publication id free for valid ones', async () => {
    await expect(publish({})).rejects.toMatchObject(mediaRefusal)
    await publish(vp8())
    await harness.media.close(anna.ref, 'p-1')
    expect(harness.eventsOf('published')).toHaveLength(1)
  })

  it('are logged at level debug, without a stack', async () => {
    harness.log.length = 0
    const random = seededRandom(3)
    for (let round = 0; round < 200; round++)
      await publish(mutate(vp8(), random)).then(
        () => harness.media.close(anna.ref, 'p-1'),
        error => expect(error).toMatchObject(mediaRefusal),
      )
    // mediasoup's worker logs those that it refused itself.
    await expect
      .poll(() => harness.log.map(({ msg }) => msg))
      .toContainEqual(expect.stringContaining('failed'))
    for (const line of harness.log) expect(line, JSON.stringify(line)).toMatchObject({ level: DEBUG })
    expect(JSON.stringify(harness.log)).not.toMatch(/"stack"|\bat .*:\d+:\d+/)
  })

  it('never crash a worker when they are mutated at random', async () => {
    const random = seededRandom(20_26)
    const sources = [opus, vp8, vp9, simulcast, h264]
    for (let round = 0; round < 1500; round++) {
      const make = sources[round % sources.length] ?? vp8
      const parameters = mutate(make(), random)
      const source = make === opus ? 'microphone' : 'camera'
      await publish(parameters, source).then(
        () => harness.media.close(anna.ref, 'p-1'),
        error => expect(error).toMatchObject(mediaRefusal),
      )
    }
    expect(alive()).toEqual(pids)
  })

  it('never crash a worker as mutated capabilities or DTLS parameters', async () => {
    const random = seededRandom(7)
    for (let round = 0; round < 300; round++) {
      const cleo = harness.participant('cleo')
      await cleo.open()
      const damaged = mutate(cleo.endpoint.routerRtpCapabilities, random)
      const refused = (error: unknown) => expect(error).toMatchObject(mediaRefusal)
      await cleo.receive(damaged).catch(refused)
      await harness.media
        .publish(cleo.ref, cleo.negotiation('c-1', 'camera'), {
          source: 'camera',
          paused: false,
          rtpParameters: vp8(),
          dtlsParameters: mutate(dtlsParameters, random) as Record<string, unknown>,
        })
        .catch(refused)
    }
    expect(alive()).toEqual(pids)
  })
})
