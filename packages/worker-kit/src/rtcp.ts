import { RtcpPacketConverter, RtcpSrPacket } from 'werift-rtp'
import type { SenderReport } from './ports.ts'

/** On a port that carries both (RFC 5761 4). */
export const isRtcp = (packet: Buffer) => {
  const type = packet[1] ?? 0
  return type >= 192 && type <= 223
}

/** The sender reports in a compound packet; none in one that is broken. */
export function readSenderReports(packet: Buffer): SenderReport[] {
  try {
    return RtcpPacketConverter.deSerialize(packet)
      .filter(each => each instanceof RtcpSrPacket)
      .map(({ ssrc, senderInfo }) => ({
        ssrc,
        ntp: senderInfo.ntpTimestamp,
        rtpTimestamp: senderInfo.rtpTimestamp,
      }))
  } catch {
    return []
  }
}
