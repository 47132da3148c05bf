import { randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createWorker, setLogEventListeners, workerBin } from 'mediasoup'
import type { PlainTransport, Router, Worker } from 'mediasoup/types'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  derive,
  headerBytes,
  protectRtcp,
  protectRtp,
  sessionKeys,
  unprotectRtcp,
  unprotectRtp,
} from './testing/srtp.ts'

const hex = (text: string) => Buffer.from(text, 'hex')

const KEY_128 = '000102030405060708090a0b0c0d0e0f'
const KEY_256 = `${KEY_128}101112131415161718191a1b1c1d1e1f`
const keysOf = (key: string) => ({ key: hex(key), salt: Buffer.from('Quid pro quo') })
const RTP = Buffer.concat([
  hex('8040f17b8041f8d35501a0b2'),
  Buffer.from('Gallia est omnis divisa in partes tres'),
])
const RTCP = hex(
  '81c8000d4d6172734e5450314e545032525450200000042a0000e9304c756e61deadbeefdeadbeefdeadbeefdeadbeefdeadbeef',
)
const RTCP_INDEX = 0x5d4

describe('the packets of the tests', () => {
  it.each([
    [
      KEY_128,
      'f24de3a3fb34de6cacba861c9d7e4bcabe633bd50d294e6f42a5f47a51c7d19b36de3adf8833899d7f27beb16a9152cf765ee4390cce',
      '63e94885dcdab67ca727d7662f6b7e997ff5c0f76c06f32dc676a5f1730d6fda4ce09b4686303ded0bb9275bc84aa45896cf4d2fc5abf87245d9eade',
    ],
    [
      KEY_256,
      '32b1de78a822fe12ef9f78fa332e33aab18012389a58e2f3b50b2a0276ffae0f1ba63799b87b7aa3db36dfffd6b0f9bb7878d7a76c13',
      'd50ae4d1f5ce5d304ba297e47d470c282c3ece5dbffe0a50a2eaa5c1110555be8415f658c61de0476f1b6fad1d1eb30c4446839f57ff6f6cb26ac3be',
    ],
  ])('are those of RFC 7714 with the key %s', (key, rtp, rtcp) => {
    const keys = keysOf(key)
    const srtp = Buffer.concat([RTP.subarray(0, 12), hex(rtp)])
    expect([protectRtp(RTP, keys), unprotectRtp(srtp, keys)]).toEqual([srtp, RTP])
    const srtcp = Buffer.concat([RTCP.subarray(0, 8), hex(rtcp), hex('800005d4')])
    expect([protectRtcp(RTCP, RTCP_INDEX, keys), unprotectRtcp(srtcp, keys)]).toEqual([srtcp, RTCP])
  })

  it('have keys that are derived as in RFC 3711, B.3', () => {
    const [master, salt] = [hex('e1f97a0d3e018be0d64fa32c06de4139'), hex('0ec675ad498afeebb6960b3aabe6')]
    expect(derive(master, salt, 0, 16)).toEqual(hex('c61e7a93744f39ee10734afe3ff7a087'))
    expect(derive(master, salt, 2, 14)).toEqual(hex('30cbbc08863d8c85d49db34a9ae1'))
  })
})

const SSRC = 0x1234_5678
const VP8 = { kind: 'video', mimeType: 'video/VP8', clockRate: 90_000, preferredPayloadType: 96 } as const
const rtcpFeedback = [{ type: 'nack', parameter: 'pli' }]
/** A payload descriptor that begins a frame, and the first byte of a key frame. */
const KEY_FRAME = hex('1000')

let worker: Worker
let router: Router
const log: string[] = []
beforeAll(async () => {
  setLogEventListeners({ ondebug: (_, line) => void log.push(line) })
  worker = await createWorker({ logLevel: 'debug', logTags: ['info'] })
  router = await worker.createRouter({ mediaCodecs: [{ ...VP8, rtcpFeedback }] })
})
afterAll(async () => {
  const ended = once(worker, 'subprocessclose')
  worker.close()
  await ended
  setLogEventListeners()
})

/** A UDP socket at a plain transport of the worker, with the keys of both directions. */
async function connect(cryptoSuite: 'AEAD_AES_128_GCM' | 'AEAD_AES_256_GCM') {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const packets: Buffer[] = []
  socket.on('message', packet => packets.push(packet))
  const transport = await router.createPlainTransport({
    listenInfo: { protocol: 'udp', ip: '127.0.0.1' },
    enableSrtp: true,
    srtpCryptoSuite: cryptoSuite,
  })
  const keyBase64 = randomBytes(cryptoSuite === 'AEAD_AES_128_GCM' ? 28 : 44).toString('base64')
  const { port } = socket.address()
  await transport.connect({ ip: '127.0.0.1', port, srtpParameters: { cryptoSuite, keyBase64 } })
  return {
    transport,
    socket,
    packets,
    send: (packet: Buffer) => sendTo(socket, transport, packet),
    mine: sessionKeys(keyBase64),
    its: sessionKeys(transport.srtpParameters?.keyBase64 ?? ''),
  }
}

const sendTo = (socket: Socket, { tuple }: PlainTransport, packet: Buffer) =>
  socket.send(packet, tuple.localPort, '127.0.0.1')

function rtp(sequence: number, payload: Buffer): Buffer {
  const header = hex(`8060${sequence.toString(16).padStart(4, '0')}00000000`)
  const ssrc = Buffer.alloc(4)
  ssrc.writeUInt32BE(SSRC)
  header.writeUInt32BE(sequence * 3000, 4)
  return Buffer.concat([header, ssrc, payload])
}

const isRtcp = ([, type = 0]: Buffer) => type >= 192 && type <= 223

describe.each(['AEAD_AES_128_GCM', 'AEAD_AES_256_GCM'] as const)('a media worker with %s', suite => {
  let sender: Awaited<ReturnType<typeof connect>>
  let receiver: Awaited<ReturnType<typeof connect>>
  beforeAll(async () => {
    ;[sender, receiver] = [await connect(suite), await connect(suite)]
  })
  afterAll(() => {
    for (const { socket, transport } of [sender, receiver]) {
      socket.close()
      transport.close()
    }
  })

  const consume = async () => {
    const rtpParameters = {
      codecs: [{ mimeType: VP8.mimeType, clockRate: VP8.clockRate, payloadType: 96, rtcpFeedback }],
      encodings: [{ ssrc: SSRC }],
    }
    const producer = await sender.transport.produce({ kind: 'video', rtpParameters })
    const rtpCapabilities = { codecs: router.rtpCapabilities.codecs ?? [] }
    return receiver.transport.consume({ producerId: producer.id, rtpCapabilities })
  }
  const received = () =>
    receiver.packets
      .filter(packet => !isRtcp(packet))
      .map(packet => unprotectRtp(packet, receiver.its.rtp).subarray(headerBytes(packet)))

  it('forwards packets of any size unchanged, drops forged ones, and encrypts its reports', async () => {
    const consumer = await consume()
    await consumer.enableTraceEvent(['pli'])
    const sizes = [0, 1, 13, 14, 15, 16, 30, 31, 1100]
    const payloads = sizes.map(size => Buffer.concat([KEY_FRAME, randomBytes(size)]))
    for (const [sequence, payload] of payloads.entries()) {
      const packet = protectRtp(rtp(1 + sequence, payload), sender.mine.rtp)
      for (const at of [11, 12, packet.length - 1]) {
        const forged = Buffer.from(packet)
        forged[at] = (forged[at] as number) ^ 1
        sender.send(forged)
      }
      sender.send(packet.subarray(0, 12 + 15))
      sender.send(packet)
    }
    await expect.poll(() => received()).toHaveLength(payloads.length)
    expect(received()).toEqual(payloads)

    const report = await vi.waitFor(() => receiver.packets.find(isRtcp) ?? expect.fail('no report yet'), {
      timeout: 100_000,
    })
    const [ssrc] = consumer.rtpParameters.encodings?.map(each => each.ssrc) ?? []
    const plain = unprotectRtcp(report, receiver.its.rtcp)
    expect([plain[1], plain.readUInt32BE(4)]).toEqual([200, ssrc])

    const traced = once(consumer, 'trace')
    const pli = Buffer.concat([hex('81ce000200000001'), plain.subarray(4, 8)])
    receiver.send(protectRtcp(pli, 1, receiver.mine.rtcp))
    expect((await traced)[0]).toMatchObject({ type: 'pli', direction: 'in' })
  })
})

const origin = `${workerBin}.origin`
const isBuiltHere = existsSync(origin) && /^[0-9a-f]+$/.test(readFileSync(origin, 'utf8'))

it('a media worker that was built here encrypts with OpenSSL', ({ skip }) => {
  if (!isBuiltHere) skip('the worker comes from elsewhere')
  expect(log.join('\n')).toMatch(/AES-GCM of SRTP by: "OpenSSL /)
})
