import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { FAKE_DEVICES } from './browser.ts'
import { writeVoice } from './synthetic-voice.ts'

const run = promisify(execFile)

export interface VideoInfo {
  seconds: number
  /** Codecs, as ffprobe names them. */
  codecs: string[]
}

export async function probe(file: string): Promise<VideoInfo> {
  const args = ['-v', 'error', '-show_entries', 'format=duration:stream=codec_name', '-of', 'json', file]
  const { stdout } = await run('ffprobe', args)
  const { format, streams } = JSON.parse(stdout)
  return {
    seconds: Number(format.duration),
    codecs: streams.map((each: { codec_name: string }) => each.codec_name),
  }
}

/** The size of every frame in order, such as `640x480`. */
export async function frameSizes(file: string): Promise<string[]> {
  const args = [
    '-v',
    'error',
    '-select_streams',
    'v',
    '-show_entries',
    'frame=width,height',
    '-of',
    'csv=p=0:s=x',
  ]
  const { stdout } = await run('ffprobe', [...args, file], { maxBuffer: 1e8 })
  return stdout.split('\n').filter(line => line !== '')
}

const WIDTH = 160
const HEIGHT = 90

/** The share of pure colours, and of white, in a frame, 0 to 1 each. */
interface ColourShares {
  red: number
  green: number
  blue: number
  white: number
}

/** Of an image: at 0. */
export async function coloursAt(file: string, seconds: number): Promise<ColourShares> {
  const seek = seconds > 0 ? ['-ss', seconds.toFixed(3)] : []
  const [frame] = await sampleColours([...seek, '-i', file, '-frames:v', '1'], '')
  if (!frame) throw new Error(`there is no frame at ${seconds} s`)
  return frame
}

const SAMPLES_PER_SECOND = 5

/** The colour shares of the whole video, five samples per second. */
export const coloursOverTime = (file: string): Promise<ColourShares[]> =>
  sampleColours(['-i', file], `fps=${SAMPLES_PER_SECOND}:round=down,`)

/** The milliseconds between two times during which red and blue are not both visible. */
export function missingMs(samples: ColourShares[], fromMs: number, toMs: number): number {
  const [first, last] = [fromMs, toMs].map(ms => Math.round((ms * SAMPLES_PER_SECOND) / 1000))
  const missing = samples.slice(first, last).filter(({ red, blue }) => red < 0.1 || blue < 0.1)
  return (missing.length * 1000) / SAMPLES_PER_SECOND
}

async function sampleColours(input: string[], filter: string): Promise<ColourShares[]> {
  const output = ['-vf', `${filter}scale=${WIDTH}:${HEIGHT}`, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-']
  const options = { encoding: 'buffer' as const, maxBuffer: 1e9 }
  const { stdout } = await run('ffmpeg', ['-v', 'error', ...input, ...output], options)
  const bytes = WIDTH * HEIGHT * 3
  return Array.from({ length: Math.floor(stdout.length / bytes) }, (_, index) =>
    count(stdout.subarray(index * bytes, (index + 1) * bytes)),
  )
}

function count(pixels: Buffer): ColourShares {
  const counted = { red: 0, green: 0, blue: 0, white: 0 }
  for (let at = 0; at + 2 < pixels.length; at += 3) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(at, at + 3)
    if (red > 120 && red > 2 * green && red > 2 * blue) counted.red++
    if (green > 90 && green > 1.4 * red && green > 1.4 * blue) counted.green++
    if (blue > 120 && blue > 2 * red && blue > 2 * green) counted.blue++
    if (Math.min(red, green, blue) > 220) counted.white++
  }
  const part = (each: number) => each / (WIDTH * HEIGHT)
  const { red, green, blue, white } = counted
  return { red: part(red), green: part(green), blue: part(blue), white: part(white) }
}

/** The average saturation of a frame, 0 (grey) to 181. */
export async function saturation(file: string, seconds: number): Promise<number> {
  const frame = ['-ss', seconds.toFixed(3), '-i', file, '-frames:v', '1']
  const args = ['-vf', 'signalstats,metadata=print:key=lavfi.signalstats.SATAVG', '-f', 'null', '-']
  const { stderr } = await run('ffmpeg', ['-hide_banner', '-nostats', ...frame, ...args])
  return Number(/SATAVG=([\d.]+)/.exec(stderr)?.[1] ?? Number.NaN)
}

/** The mean volume between two times in dB: 0 is full scale, -91 silence. */
export async function loudness(file: string, fromSeconds: number, toSeconds: number): Promise<number> {
  const span = ['-ss', fromSeconds.toFixed(3), '-t', (toSeconds - fromSeconds).toFixed(3)]
  const args = [...span, '-i', file, '-map', 'a:0', '-af', 'volumedetect', '-f', 'null', '-']
  const { stderr } = await run('ffmpeg', ['-hide_banner', '-nostats', ...args])
  return Number(/mean_volume: (-?[\d.]+) dB/.exec(stderr)?.[1] ?? Number.NaN)
}

/** Writes the video of a fake camera: one still colour. */
const writeColourVideo = (path: string, colour: string, size: string) =>
  run('ffmpeg', [
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', `color=${colour}:size=${size}:rate=10:duration=1`],
    ...['-pix_fmt', 'yuv420p', path],
  ])

/** Browser arguments for a camera of one colour and a microphone with a voice. */
export async function colouredDevices(
  folder: string,
  colour: 'red' | 'blue',
  size: string,
): Promise<string[]> {
  const camera = join(folder, `${colour}.y4m`)
  await writeColourVideo(camera, colour, size)
  return [
    ...FAKE_DEVICES,
    `--use-file-for-fake-video-capture=${camera}`,
    `--use-file-for-fake-audio-capture=${writeVoice(join(folder, 'voice.wav'))}`,
  ]
}
