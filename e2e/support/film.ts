import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { FAKE_DEVICES } from './browser.ts'
import { writeVoice } from './voice.ts'

const run = promisify(execFile)

export interface Film {
  seconds: number
  /** Codecs, as ffprobe names them. */
  codecs: string[]
}

export async function probe(file: string): Promise<Film> {
  const asked = ['-v', 'error', '-show_entries', 'format=duration:stream=codec_name', '-of', 'json', file]
  const { stdout } = await run('ffprobe', asked)
  const { format, streams } = JSON.parse(stdout)
  return {
    seconds: Number(format.duration),
    codecs: streams.map((each: { codec_name: string }) => each.codec_name),
  }
}

/** The size of each frame, in their order, such as `640x480`. */
export async function frameSizes(file: string): Promise<string[]> {
  const asked = [
    '-v',
    'error',
    '-select_streams',
    'v',
    '-show_entries',
    'frame=width,height',
    '-of',
    'csv=p=0:s=x',
  ]
  const { stdout } = await run('ffprobe', [...asked, file], { maxBuffer: 1e8 })
  return stdout.split('\n').filter(line => line !== '')
}

const WIDTH = 160
const HEIGHT = 90

/** The parts of a picture, 0 to 1, that are of pure colours. */
interface Colours {
  red: number
  green: number
  blue: number
}

export async function colours(file: string, seconds: number): Promise<Colours> {
  const [picture] = await look(['-ss', seconds.toFixed(3), '-i', file, '-frames:v', '1'], '')
  if (!picture) throw new Error(`there is no picture at ${seconds} s`)
  return picture
}

const LOOKS_A_SECOND = 5

/** Those of the whole film, five times a second. */
export const coloursOf = (file: string): Promise<Colours[]> =>
  look(['-i', file], `fps=${LOOKS_A_SECOND}:round=down,`)

/** For how many milliseconds of the film, between two moments, red and blue are not both to be seen. */
export function missingIn(film: Colours[], fromMs: number, toMs: number): number {
  const [first, last] = [fromMs, toMs].map(ms => Math.round((ms * LOOKS_A_SECOND) / 1000))
  const missing = film.slice(first, last).filter(({ red, blue }) => red < 0.1 || blue < 0.1)
  return (missing.length * 1000) / LOOKS_A_SECOND
}

async function look(what: string[], filter: string): Promise<Colours[]> {
  const picture = ['-vf', `${filter}scale=${WIDTH}:${HEIGHT}`, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-']
  const options = { encoding: 'buffer' as const, maxBuffer: 1e9 }
  const { stdout } = await run('ffmpeg', ['-v', 'error', ...what, ...picture], options)
  const bytes = WIDTH * HEIGHT * 3
  return Array.from({ length: Math.floor(stdout.length / bytes) }, (_, index) =>
    count(stdout.subarray(index * bytes, (index + 1) * bytes)),
  )
}

function count(pixels: Buffer): Colours {
  const counted = { red: 0, green: 0, blue: 0 }
  for (let at = 0; at + 2 < pixels.length; at += 3) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(at, at + 3)
    if (red > 120 && red > 2 * green && red > 2 * blue) counted.red++
    if (green > 90 && green > 1.4 * red && green > 1.4 * blue) counted.green++
    if (blue > 120 && blue > 2 * red && blue > 2 * green) counted.blue++
  }
  const part = (each: number) => each / (WIDTH * HEIGHT)
  return { red: part(counted.red), green: part(counted.green), blue: part(counted.blue) }
}

/** How colourful the picture is at a moment: 0 is grey, and so is hardly a picture of a camera. Up to 181. */
export async function saturation(file: string, seconds: number): Promise<number> {
  const frame = ['-ss', seconds.toFixed(3), '-i', file, '-frames:v', '1']
  const asked = ['-vf', 'signalstats,metadata=print:key=lavfi.signalstats.SATAVG', '-f', 'null', '-']
  const { stderr } = await run('ffmpeg', ['-hide_banner', '-nostats', ...frame, ...asked])
  return Number(/SATAVG=([\d.]+)/.exec(stderr)?.[1] ?? Number.NaN)
}

/** How loud it is on average between two moments: 0 is the loudest there is, -91 silence. In dB. */
export async function loudness(file: string, fromSeconds: number, toSeconds: number): Promise<number> {
  const span = ['-ss', fromSeconds.toFixed(3), '-t', (toSeconds - fromSeconds).toFixed(3)]
  const asked = [...span, '-i', file, '-map', 'a:0', '-af', 'volumedetect', '-f', 'null', '-']
  const { stderr } = await run('ffmpeg', ['-hide_banner', '-nostats', ...asked])
  return Number(/mean_volume: (-?[\d.]+) dB/.exec(stderr)?.[1] ?? Number.NaN)
}

/** Makes the picture of a fake camera: one colour, in which nothing moves. */
const writeColour = (path: string, colour: string) =>
  run('ffmpeg', [
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', `color=${colour}:size=320x180:rate=10:duration=1`],
    ...['-pix_fmt', 'yuv420p', path],
  ])

/** A browser whose camera shows one colour, and whose microphone hears a voice. */
export async function colouredDevices(folder: string, colour: 'red' | 'blue'): Promise<string[]> {
  const camera = join(folder, `${colour}.y4m`)
  await writeColour(camera, colour)
  return [
    ...FAKE_DEVICES,
    `--use-file-for-fake-video-capture=${camera}`,
    `--use-file-for-fake-audio-capture=${writeVoice(join(folder, 'voice.wav'))}`,
  ]
}
