import { createSocket } from 'node:dgram'
import type { PlainTransport, Producer, Router } from 'mediasoup/types'
import { opus } from './rtp.ts'

const PACKET_EVERY_MS = 20
const SAMPLES = 960

/** Levels are dB below full scale; the highest bit signals voice (RFC 6464). */
const SILENT = 127
const VOICE = 0x80

/** Sends real RTP into a router: Opus packets with audio levels, as a browser does. */
export class TestMicrophone {
  readonly producer: Producer
  readonly transport: PlainTransport
  isSpeaking = false
  readonly #socket = createSocket('udp4')
  readonly #timer: NodeJS.Timeout
  #sequence = 0

  private constructor(producer: Producer, transport: PlainTransport, ssrc: number) {
    this.producer = producer
    this.transport = transport
    const port = transport.tuple.localPort
    this.#timer = setInterval(() => this.#socket.send(this.#packet(ssrc), port, '127.0.0.1'), PACKET_EVERY_MS)
  }

  static async create(router: Router): Promise<TestMicrophone> {
    const transport = await router.createPlainTransport({ listenIp: '127.0.0.1', comedia: true })
    const ssrc = 1000 + Math.floor(Math.random() * 1e6)
    const rtpParameters = { ...opus(), encodings: [{ ssrc }] } as never // mediasoup lists the known URIs
    const producer = await transport.produce({ kind: 'audio', rtpParameters })
    return new TestMicrophone(producer, transport, ssrc)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#socket.close()
    this.producer.close()
    this.transport.close()
  }

  /** RTP with a one-byte header extension: id 1 is ssrc-audio-level (RFC 6464). */
  #packet(ssrc: number): Buffer {
    this.#sequence += 1
    const packet = Buffer.alloc(12 + 8 + 20)
    packet.writeUInt8(0x90, 0)
    packet.writeUInt8(111, 1)
    packet.writeUInt16BE(this.#sequence & 0xffff, 2)
    packet.writeUInt32BE(this.#sequence * SAMPLES, 4)
    packet.writeUInt32BE(ssrc, 8)
    packet.writeUInt16BE(0xbede, 12)
    packet.writeUInt16BE(1, 14)
    packet.writeUInt8(0x10, 16)
    packet.writeUInt8(this.#level(), 17)
    return packet
  }

  /** Varies like syllables, because a constant level is treated as background noise. */
  #level(): number {
    if (!this.isSpeaking) return SILENT
    return VOICE | (this.#sequence % 16 < 12 ? 15 + (this.#sequence % 7) : 70)
  }
}
