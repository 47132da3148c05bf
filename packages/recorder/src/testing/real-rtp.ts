import { spawn } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** Packets of a stream that ffmpeg has made, and when each was sent, counted from the first. */
export interface RtpStream {
  packets: { rtp: Buffer; sentMs: number }[]
  codec: { mimeType: string; payloadType: number; clockRate: number; channels?: number }
  ssrc: number
}

const REALTIME = '-deadline realtime -cpu-used 8 -b:v 300k -threads 1 -g 50'.split(' ')

const ENCODERS = {
  'video/VP8': ['-c:v', 'libvpx', ...REALTIME],
  'video/VP9': ['-c:v', 'libvpx-vp9', ...REALTIME],
  'video/H264': ['-c:v', 'libx264', '-preset', 'ultrafast', '-profile:v', 'baseline', '-g', '50', '-bf', '0'],
  'audio/opus': ['-c:a', 'libopus', '-b:a', '32k', '-ac', '2'],
}
export type MimeType = keyof typeof ENCODERS

/** So much faster than it would be in a call. */
const SPEED = '6'

/** Encodes the output of a filter with ffmpeg and captures it as RTP. */
export async function makeRtp(mimeType: MimeType, filter: string, seconds: number): Promise<RtpStream> {
  const isAudio = mimeType.startsWith('audio/')
  const packets: Buffer[] = []
  const { rtp, rtcp, port } = await pairOfSockets()
  rtp.on('message', message => packets.push(message))
  const args = [
    ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-readrate', SPEED],
    ...['-f', 'lavfi', '-i', filter, '-t', String(seconds), ...ENCODERS[mimeType]],
    ...[
      '-strict',
      'experimental',
      '-payload_type',
      '96',
      '-f',
      'rtp',
      `rtp://127.0.0.1:${port}?pkt_size=1200`,
    ],
  ]
  // At the priority of the test, unlike the recorder's own.
  const child = spawn('nice', ['-n', '0', 'ffmpeg', ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (text: Buffer) => {
    said += text
  })
  const [code] = await once(child, 'close')
  await sleep(50)
  rtp.close()
  rtcp.close()
  if (code !== 0) throw new Error(said)
  return timed(packets, {
    mimeType,
    payloadType: 96,
    clockRate: isAudio ? 48_000 : 90_000,
    ...(isAudio && { channels: 2 }),
  })
}

function timed(packets: Buffer[], codec: RtpStream['codec']): RtpStream {
  const first = packets[0]
  if (!first) throw new Error('ffmpeg sent nothing')
  const start = first.readUInt32BE(4)
  const sentMs = (rtp: Buffer) => (((rtp.readUInt32BE(4) - start) | 0) * 1000) / codec.clockRate
  return { packets: packets.map(rtp => ({ rtp, sentMs: sentMs(rtp) })), codec, ssrc: first.readUInt32BE(8) }
}

/** RTP and RTCP sockets on consecutive ports, as ffmpeg requires. */
async function pairOfSockets(): Promise<{ rtp: Socket; rtcp: Socket; port: number }> {
  for (;;) {
    const rtp = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 })
    rtp.bind(0, '127.0.0.1')
    await once(rtp, 'listening')
    const { port } = rtp.address()
    const rtcp = createSocket('udp4')
    rtcp.bind(port + 1, '127.0.0.1')
    const isFree = await Promise.race([
      once(rtcp, 'listening').then(() => true),
      once(rtcp, 'error').then(() => false),
    ])
    if (isFree) return { rtp, rtcp, port }
    rtp.close()
  }
}
