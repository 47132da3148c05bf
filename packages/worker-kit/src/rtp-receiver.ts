import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { nowMs } from './clock.ts'
import type { SenderReport } from './ports.ts'
import { isRtcp, readSenderReports } from './rtcp.ts'
import { RTP_HEADER_BYTES } from './rtp.ts'
import { type SrtpKey, SrtpReceiver } from './srtp.ts'

/** Receives the packets of one SSRC. */
export interface Sink {
  packet(rtp: Buffer, arrivedAtMs: number): void
  report(report: SenderReport, arrivedAtMs: number): void
}

/** About a second of high-bitrate video, as far as the kernel allows. */
const RECEIVE_BUFFER_BYTES = 4_194_304

/** Receives the RTP and RTCP of a session on one UDP port. */
export class RtpReceiver {
  readonly #socket: Socket
  readonly #sinks = new Map<number, Sink>()
  #srtp: SrtpReceiver | null = null

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('message', packet => this.#receive(packet, nowMs()))
  }

  /** Binds any free port of the address. */
  static async open(ip: string): Promise<RtpReceiver> {
    const socket = createSocket({ type: isIPv6(ip) ? 'udp6' : 'udp4' })
    socket.bind(0, ip)
    try {
      await once(socket, 'listening')
    } catch (error) {
      socket.close()
      throw error
    }
    socket.setRecvBufferSize(RECEIVE_BUFFER_BYTES)
    return new RtpReceiver(socket)
  }

  get port(): number {
    return this.#socket.address().port
  }

  /** Sets the SRTP key of subsequent packets; undefined for plain RTP. */
  setSrtpKey(key: SrtpKey | undefined): void {
    this.#srtp = key ? new SrtpReceiver(key) : null
  }

  connect(ssrc: number, sink: Sink): void {
    this.#sinks.set(ssrc, sink)
  }

  disconnect(ssrc: number): void {
    this.#sinks.delete(ssrc)
  }

  close(): void {
    this.#sinks.clear()
    this.#socket.close()
  }

  #receive(packet: Buffer, atMs: number): void {
    if (isRtcp(packet)) this.#receiveRtcp(packet, atMs)
    else if (packet.length >= RTP_HEADER_BYTES) this.#receiveRtp(packet, atMs)
  }

  #receiveRtp(packet: Buffer, atMs: number): void {
    const sink = this.#sinks.get(packet.readUInt32BE(8))
    const rtp = sink && this.#srtp ? this.#srtp.rtp(packet) : packet
    if (sink && rtp) sink.packet(rtp, atMs)
  }

  #receiveRtcp(packet: Buffer, atMs: number): void {
    const rtcp = this.#srtp ? this.#srtp.rtcp(packet) : packet
    for (const report of rtcp ? readSenderReports(rtcp) : [])
      this.#sinks.get(report.ssrc)?.report(report, atMs)
  }
}
