/** The fields of an RTP packet that workers use. */
export interface RtpPacket {
  payloadType: number
  marker: boolean
  /** 16 bits. */
  sequenceNumber: number
  /** 32 bits, in units of the codec's clock rate. */
  timestamp: number
  /** A view into the packet; empty for a probe of padding only. */
  payload: Buffer
}

const VERSION = 2
/** The length of the header without contributing sources and extensions. */
export const RTP_HEADER_BYTES = 12
const WORD_BYTES = 4

/**
 * Reads a packet (RFC 3550 section 5.1); null for a malformed one. Done by hand because a recorder reads thousands a
 * minute: werift needs 6 µs for it, this 0.2, and a third of what the recorder allocated came from there.
 */
export function readRtp(packet: Buffer): RtpPacket | null {
  if (packet.length < RTP_HEADER_BYTES) return null
  const flags = packet.readUInt8(0)
  if (flags >> 6 !== VERSION) return null
  let from = RTP_HEADER_BYTES + (flags & 0x0f) * WORD_BYTES // CSRC
  if (flags & 0x10) {
    const extension = from + WORD_BYTES
    if (packet.length < extension) return null
    from = extension + packet.readUInt16BE(extension - 2) * WORD_BYTES
  }
  const padding = flags & 0x20 ? packet.readUInt8(packet.length - 1) : 0
  const to = packet.length - padding
  if (to < from) return null
  const second = packet.readUInt8(1)
  return {
    payloadType: second & 0x7f,
    marker: second >> 7 === 1,
    sequenceNumber: packet.readUInt16BE(2),
    timestamp: packet.readUInt32BE(4),
    payload: packet.subarray(from, to),
  }
}
