import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { type RtpPacket, readRtp } from '@lectern/worker-kit'
import { RtpHeader, RtpPacket as WeriftPacket } from 'werift-rtp'

/** Speech: "go forward ten meters", 16 kHz, from Debian's pocketsphinx-testdata. */
const GO_FORWARD = '/usr/share/pocketsphinx/test/data/goforward.raw'
export const GO_FORWARD_TEXT = 'go forward ten meters'

export function goForward(): Int16Array {
  const bytes = readFileSync(GO_FORWARD)
  return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
}

/** Opus packets of 20 ms, as a browser sends them. */
export async function opusPackets(samples: Int16Array, channels = 1): Promise<Buffer[]> {
  const input = ['-f', 's16le', '-ar', '16000', '-ac', '1', '-i', 'pipe:0']
  const output = [
    '-c:a',
    'libopus',
    '-b:a',
    '32k',
    '-ac',
    `${channels}`,
    '-page_duration',
    '20000',
    '-f',
    'ogg',
    'pipe:1',
  ]
  const run = promisify(execFile)('ffmpeg', ['-v', 'error', ...input, ...output], { encoding: 'buffer' })
  run.child.stdin?.end(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength))
  return [...pagesOf((await run).stdout)].slice(2) // after the two headers
}

/** The payload of each Ogg page, one packet each. */
function* pagesOf(ogg: Buffer): Generator<Buffer> {
  for (let at = 0; at < ogg.length; ) {
    const segments = ogg.subarray(at + 27, at + 27 + (ogg[at + 26] as number))
    const begin = at + 27 + segments.length
    at = begin + segments.reduce((sum, length) => sum + length, 0)
    yield ogg.subarray(begin, at)
  }
}

const TICKS = 960

/** Wraps a payload in RTP. */
export const rtpBytes = (payload: Buffer, index: number, first = 65_530): Buffer => {
  const header = new RtpHeader({
    version: 2,
    payloadType: 111,
    sequenceNumber: (first + index) & 0xffff,
    timestamp: (4_294_960_000 + index * TICKS) >>> 0,
    ssrc: 7,
  })
  return new WeriftPacket(header, payload).serialize()
}

export const rtp = (...packet: Parameters<typeof rtpBytes>) => readRtp(rtpBytes(...packet)) as RtpPacket
