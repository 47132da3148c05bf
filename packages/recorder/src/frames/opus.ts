export const SAMPLE_RATE = 48_000

/** 20 ms of silence, for two channels. */
export const SILENCE = Buffer.from([0xfc, 0xff, 0xfe])
export const SILENCE_SAMPLES = 960

/** Samples per packet at 48 kHz (RFC 6716 section 3.1); 0 for invalid packets. */
export function opusSamples(packet: Buffer): number {
  const toc = packet[0]
  if (toc === undefined) return 0
  return frameSamples(toc >> 3) * frameCount(toc & 3, packet)
}

function frameSamples(config: number): number {
  if (config < 12) return [480, 960, 1920, 2880][config & 3] ?? 0 // SILK
  if (config < 16) return config & 1 ? 960 : 480 // hybrid
  return [120, 240, 480, 960][config & 3] ?? 0 // CELT
}

const frameCount = (code: number, packet: Buffer) =>
  code === 0 ? 1 : code === 3 ? (packet[1] ?? 0) & 0x3f : 2
