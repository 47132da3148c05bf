import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

/** A recorded voice from Debian's pocketsphinx-testdata. */
const GO_FORWARD = '/usr/share/pocketsphinx/test/data/goforward.raw'
const PACKETS_PER_SECOND = 50

const PAGE_HEAD = 27
/** Identification and comments (RFC 7845). */
const HEADER_PACKETS = 2

/** "Go forward ten meters" as Opus packets of 20 ms, with empty packets for the pause after it. */
export async function encodeSpeech(pauseSeconds: number): Promise<Buffer[]> {
  if (!existsSync(GO_FORWARD)) throw new Error('Speech needs Debian’s pocketsphinx-testdata')
  const input = `-f s16le -ar 16000 -ac 1 -i ${GO_FORWARD}`
  const args = `-v error -nostdin ${input} -c:a libopus -b:a 32k -frame_duration 20 -f ogg pipe:1`.split(' ')
  const { stdout } = await promisify(execFile)('ffmpeg', args, { encoding: 'buffer' })
  const pause = Array.from({ length: pauseSeconds * PACKETS_PER_SECOND }, () => Buffer.alloc(0))
  return [...packetsOf(stdout).slice(HEADER_PACKETS), ...pause]
}

/** The packets of an Ogg file (RFC 3533 §6): a segment of less than 255 bytes ends a packet. */
function packetsOf(ogg: Buffer): Buffer[] {
  const packets: Buffer[] = []
  let parts: Buffer[] = []
  for (let at = 0; at < ogg.length; ) {
    const segments = ogg.subarray(at + PAGE_HEAD, at + PAGE_HEAD + ogg.readUInt8(at + PAGE_HEAD - 1))
    at += PAGE_HEAD + segments.length
    for (const length of segments) {
      parts.push(ogg.subarray(at, at + length))
      at += length
      if (length === 255) continue
      packets.push(Buffer.concat(parts))
      parts = []
    }
  }
  return packets
}
