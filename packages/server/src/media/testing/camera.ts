import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { Producer, Router } from 'mediasoup/types'
import { vp8 } from './rtp.ts'

const PACKET_EVERY_MS = 10
const LAYERS = 3
const CLOCK_PER_PACKET = 900

/** VP8: a payload descriptor that begins a frame, then the frame tag of a keyframe of 640x360, or of another frame. */
const KEY_FRAME = Buffer.from('10' + '500000' + '9d012a' + '80026801', 'hex')
const OTHER_FRAME = Buffer.from('10' + '510000', 'hex')
/** A full intra request or picture loss indication (RFC 4585, RFC 5104). */
const PAYLOAD_FEEDBACK = 206

/** Sends real RTP into a router: VP8 in three layers, whose packets end with the number of the layer. */
export class TestCamera {
  readonly producer: Producer
  /** Keyframes that were requested by RTCP, by layer. */
  readonly requested = Array.from({ length: LAYERS }, () => 0)
  readonly #socket = createSocket('udp4')
  readonly #timer: NodeJS.Timeout
  readonly #ssrcs: number[]
  readonly #port: number
  readonly #isDue = Array.from({ length: LAYERS }, () => true)
  #sequence = 0

  private constructor(producer: Producer, ssrcs: number[], port: number) {
    this.producer = producer
    this.#ssrcs = ssrcs
    this.#port = port
    this.#socket.on('message', packet => this.#receive(packet))
    this.#timer = setInterval(() => this.#send(), PACKET_EVERY_MS)
  }

  static async create(router: Router): Promise<TestCamera> {
    const transport = await router.createPlainTransport({ listenIp: '127.0.0.1', comedia: true })
    const first = 1000 + Math.floor(Math.random() * 1e6)
    const ssrcs = Array.from({ length: LAYERS }, (_, layer) => first + layer)
    const rtpParameters = { ...vp8(), encodings: ssrcs.map(ssrc => ({ ssrc })) } as never // mediasoup lists the known URIs
    const producer = await transport.produce({ kind: 'video', rtpParameters })
    return new TestCamera(producer, ssrcs, transport.tuple.localPort)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    const closed = once(this.#socket, 'close')
    this.#socket.close()
    await closed
    this.producer.close()
  }

  #send(): void {
    this.#sequence += 1
    for (const [layer, ssrc] of this.#ssrcs.entries()) {
      const head = this.#isDue[layer] ? KEY_FRAME : OTHER_FRAME
      this.#isDue[layer] = false
      const packet = Buffer.alloc(12 + head.length + 100, layer)
      packet.writeUInt8(0x80, 0)
      packet.writeUInt8(0x80 | 96, 1)
      packet.writeUInt16BE(this.#sequence & 0xffff, 2)
      packet.writeUInt32BE(this.#sequence * CLOCK_PER_PACKET, 4)
      packet.writeUInt32BE(ssrc, 8)
      head.copy(packet, 12)
      this.#socket.send(packet, this.#port, '127.0.0.1')
    }
  }

  /** Compound RTCP: each part names its length in words, and feedback the SSRC that it is about. */
  #receive(packet: Buffer): void {
    for (let at = 0; at + 12 <= packet.length; at += 4 * (packet.readUInt16BE(at + 2) + 1)) {
      if (packet[at + 1] !== PAYLOAD_FEEDBACK) continue
      const layer = this.#ssrcs.indexOf(packet.readUInt32BE(at + 8))
      if (layer === -1) continue
      this.requested[layer] = (this.requested[layer] ?? 0) + 1
      this.#isDue[layer] = true
    }
  }
}
