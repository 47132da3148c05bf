import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { unitsOf } from '../compose/nal-units.ts'
import type { StoredPacket } from '../compose/packets.ts'

const run = promisify(execFile)
const options = { encoding: 'buffer' as const, maxBuffer: 256 * 1024 * 1024 }

interface Probe {
  format: { duration: string; format_name: string }
  streams: {
    codec_type: string
    codec_name: string
    width?: number
    height?: number
    nb_read_packets?: string
  }[]
}

export async function probe(file: string): Promise<Probe> {
  const args = ['-v', 'error', '-count_packets', '-show_format', '-show_streams', '-of', 'json', file]
  const { stdout } = await run('ffprobe', args, options)
  return JSON.parse(stdout.toString()) as Probe
}

/** The boxes of an MP4 file, in their order. */
export async function topLevelBoxes(file: string): Promise<string[]> {
  const content = await readFile(file)
  const names: string[] = []
  for (let at = 0; at < content.length; ) {
    names.push(content.toString('latin1', at + 4, at + 8))
    const size = content.readUInt32BE(at)
    at += size === 1 ? Number(content.readBigUInt64BE(at + 8)) : size
  }
  return names
}

/** The packets of an H.264 stream as a file that ffmpeg reads. */
export const annexB = (packets: StoredPacket[]): Buffer =>
  Buffer.concat(packets.flatMap(({ data }) => unitsOf(data).flatMap(unit => [Buffer.of(0, 0, 0, 1), unit])))

/** The samples of each frame of a video, 4:2:0. */
export async function decoded(file: string, width: number, height: number): Promise<Buffer[]> {
  const args = ['-v', 'error', '-xerror', '-i', file, '-vsync', 'passthrough', '-f', 'rawvideo', '-']
  const { stdout, stderr } = await run('ffmpeg', args, options)
  if (stderr.length > 0) throw new Error(stderr.toString())
  const size = (width * height * 3) / 2
  return Array.from({ length: stdout.length / size }, (_, at) => stdout.subarray(at * size, (at + 1) * size))
}

/** Colours of points in one frame, each as `[red, green, blue]`. */
export async function colours(file: string, seconds: number, points: [number, number][], width = 1280) {
  const args = ['-v', 'error', '-i', file, '-vf', `select=gte(t\\,${seconds - 0.001})`, '-frames:v', '1']
  const { stdout } = await run('ffmpeg', [...args, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'], options)
  return points.map(([x, y]) => [...stdout.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)])
}

/** The sound of a file, at 48 kHz, from -1 to 1: the middle of its channels, or one of them. */
export async function sound(file: string, channel?: 0 | 1): Promise<Float32Array> {
  const mix = channel === undefined ? ['-ac', '1'] : ['-af', `pan=mono|c0=c${channel}`]
  const args = ['-v', 'error', '-i', file, ...mix, '-ar', '48000', '-f', 'f32le', '-']
  const { stdout } = await run('ffmpeg', args, options)
  return new Float32Array(stdout.buffer, stdout.byteOffset, stdout.length / 4)
}

/** The brightness of each frame at one point. */
export async function brightness(file: string, x: number, y: number): Promise<number[]> {
  const args = [
    '-v',
    'error',
    '-i',
    file,
    '-vf',
    `crop=2:2:${x}:${y},scale=1:1`,
    '-f',
    'rawvideo',
    '-pix_fmt',
    'gray',
    '-',
  ]
  const { stdout } = await run('ffmpeg', args, options)
  return [...stdout]
}

/** How loud a tone is in a stretch of sound: the amplitude of a sine of that frequency. */
export function loudness(
  samples: Float32Array,
  frequency: number,
  fromSeconds: number,
  toSeconds: number,
): number {
  const part = samples.subarray(Math.round(fromSeconds * 48_000), Math.round(toSeconds * 48_000))
  let real = 0
  let imaginary = 0
  for (const [index, value] of part.entries()) {
    real += value * Math.cos((2 * Math.PI * frequency * index) / 48_000)
    imaginary += value * Math.sin((2 * Math.PI * frequency * index) / 48_000)
  }
  return (2 * Math.hypot(real, imaginary)) / part.length
}
