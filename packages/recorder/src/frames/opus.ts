export const SAMPLE_RATE = 48_000

/** 20 ms of silence, for two channels. */
export const SILENCE = Buffer.from([0xfc, 0xff, 0xfe])
export const SILENCE_SAMPLES = 960

/** RFC 6716 section 3.4, rules R2 and R5. */
const FRAME_BYTES_MAX = 1275
const PACKET_SAMPLES_MAX = (SAMPLE_RATE * 120) / 1000

/**
 * Samples per packet at 48 kHz (RFC 6716 section 3.1); 0 for invalid packets, at which ffmpeg fails if a track has no others.
 * What is in the frames is not checked.
 */
export function opusSamples(packet: Buffer): number {
  const toc = packet[0]
  if (toc === undefined) return 0
  const frames = framesOf(toc & 3, packet)
  if (!frames?.every(bytes => bytes >= 0 && bytes <= FRAME_BYTES_MAX)) return 0
  const samples = frameSamples(toc >> 3) * frames.length
  return samples <= PACKET_SAMPLES_MAX ? samples : 0
}

function frameSamples(config: number): number {
  if (config < 12) return [480, 960, 1920, 2880][config & 3] ?? 0 // SILK
  if (config < 16) return config & 1 ? 960 : 480 // hybrid
  return [120, 240, 480, 960][config & 3] ?? 0 // CELT
}

/** The lengths of the frames of a packet (RFC 6716 section 3.2); null if it is malformed, or has a negative one. */
function framesOf(code: number, packet: Buffer): number[] | null {
  if (code === 0) return [packet.length - 1]
  if (code === 1) return equalFrames(2, packet.length - 1)
  if (code === 2) return framesWithLengths(2, packet, 1, packet.length)
  const { 1: head } = packet
  if (head === undefined) return null
  const count = head & 0x3f
  let at = 2
  let padding = 0
  if (head & 0x40)
    for (let byte = 255; byte === 255; padding += byte === 255 ? 254 : byte) {
      if (at >= packet.length) return null
      byte = packet[at++] as number
    }
  const end = packet.length - padding
  return head & 0x80 ? framesWithLengths(count, packet, at, end) : equalFrames(count, end - at)
}

const equalFrames = (count: number, bytes: number): number[] | null =>
  bytes % count === 0 ? Array.from({ length: count }, () => bytes / count) : null

/** All lengths but the last are written before the frames, each in one or two bytes. */
function framesWithLengths(count: number, packet: Buffer, at: number, end: number): number[] | null {
  const lengths: number[] = []
  let next = at
  while (lengths.length < count - 1) {
    const first = packet[next++] ?? 0
    lengths.push(first < 252 ? first : first + 4 * (packet[next++] ?? 0))
  }
  const rest = end - next - lengths.reduce((sum, each) => sum + each, 0)
  return count === 0 || rest < 0 ? null : [...lengths, rest]
}
