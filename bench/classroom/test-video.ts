import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export interface VideoSize {
  width: number
  height: number
}

const FRAMES_PER_SECOND = 10
const SECONDS = 3
const PAYLOAD_MAX = 1_100
const IVF_HEADER = 32
const IVF_FRAME_HEADER = 12

/**
 * Encodes a moving test pattern. Returns the RTP payloads of each frame (RFC 7741), which may be sent in a loop.
 * `keyFrameInterval`: in frames.
 */
export const encodeTestVideo = (
  { width, height }: VideoSize,
  keyFrameInterval = FRAMES_PER_SECOND,
): Promise<Buffer[][]> => {
  const source = `testsrc2=size=${width}x${height}:rate=${FRAMES_PER_SECOND}:duration=${SECONDS}`
  return encode(`-f lavfi -i ${source}`, '150k', keyFrameInterval)
}

/** The same with a picture that does not move. */
export const encodePicture = (file: string): Promise<Buffer[][]> =>
  encode(`-loop 1 -framerate ${FRAMES_PER_SECOND} -t ${SECONDS} -i ${file} -pix_fmt yuv420p`, '1M')

async function encode(
  input: string,
  bitrate: string,
  keyFrameInterval = FRAMES_PER_SECOND,
): Promise<Buffer[][]> {
  const encoder = `-c:v libvpx -deadline realtime -cpu-used 8 -threads 1 -b:v ${bitrate} -g ${keyFrameInterval}`
  const args = `-v error -nostdin ${input} ${encoder} -f ivf pipe:1`.split(' ')
  const { stdout } = await promisify(execFile)('ffmpeg', args, { encoding: 'buffer', maxBuffer: 1e7 })
  const frames: Buffer[][] = []
  for (let at = IVF_HEADER; at < stdout.length; ) {
    const start = at + IVF_FRAME_HEADER
    at = start + stdout.readUInt32LE(at)
    frames.push(packetize(stdout.subarray(start, at)))
  }
  return frames
}

/** The first packet of a frame has the bit for the start of a partition. */
function packetize(frame: Buffer): Buffer[] {
  const payloads: Buffer[] = []
  for (let at = 0; at < frame.length; at += PAYLOAD_MAX)
    payloads.push(Buffer.concat([Buffer.of(at === 0 ? 0x10 : 0), frame.subarray(at, at + PAYLOAD_MAX)]))
  return payloads
}
