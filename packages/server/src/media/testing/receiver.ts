import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

/** Records the RTP and RTCP packets that arrive at a UDP port. */
export class TestReceiver {
  readonly packets: Buffer[] = []
  readonly #socket: Socket

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('message', packet => this.packets.push(packet))
  }

  static async open(): Promise<TestReceiver> {
    const socket = createSocket('udp4').bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return new TestReceiver(socket)
  }

  get port(): number {
    return this.#socket.address().port
  }

  get rtp(): Buffer[] {
    return this.packets.filter(packet => !isRtcp(packet))
  }

  get senderReports(): Buffer[] {
    return this.packets.filter(packet => isRtcp(packet) && packet[1] === 200)
  }

  close(): void {
    this.#socket.close()
  }
}

/** Distinguishes RTCP from RTP on one port (RFC 5761, section 4). */
const isRtcp = ([, type = 0]: Buffer) => type >= 192 && type <= 223
