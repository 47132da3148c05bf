import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SAMPLE_RATE, SILENCE_SAMPLES } from '../frames/opus.ts'
import { loudness, sound } from '../testing/inspect-media.ts'
import type { AudioTrack } from '../tracks/audio-track.ts'
import { ffmpegArguments } from './command.ts'
import { prepareMix } from './compose-audio.ts'
import { Ffmpeg } from './ffmpeg.ts'
import { packetsOf } from './packets.ts'

const run = promisify(execFile)

/** When the tracks begin, and the chunk two seconds later, in samples. */
const BEGIN = 10 * SAMPLE_RATE
const START = BEGIN + 2 * SAMPLE_RATE
const SECONDS = 3

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-mix-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Tones of an amplitude of 0.125, one for each channel. */
async function track(...frequencies: number[]): Promise<AudioTrack> {
  const file = join(folder, `${frequencies.join('-')}.mka`)
  const tones = frequencies.map(each => `0.125*sin(2*PI*${each}*t)`).join('|')
  const source = `aevalsrc=${tones}:s=${SAMPLE_RATE}:d=6`
  await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, '-c:a', 'libopus', '-b:a', '64k', file])
  const packets = (await packetsOf(file)).map(({ data }, index) => ({
    ...{ data: Buffer.from(data), start: BEGIN + index * SILENCE_SAMPLES, samples: SILENCE_SAMPLES },
  }))
  return { packets } as AudioTrack
}

/** The file with the mix, which begins a second before the chunk. */
async function mix(name: string, ...tracks: AudioTrack[]): Promise<string> {
  const step = await prepareMix(folder, name, START, SECONDS * SAMPLE_RATE, tracks)
  await new Ffmpeg().run(ffmpegArguments([step]), {
    cwd: folder,
    isLive: false,
    signal: new AbortController().signal,
  })
  return join(folder, `${name}.mka`)
}

/** The amplitudes of a tone in both channels. */
const amplitudes = async (file: string, frequency: number) =>
  Promise.all(([0, 1] as const).map(async channel => loudness(await sound(file, channel), frequency, 2, 3)))

describe('the sound of a chunk', () => {
  it('has voices in both channels, and keeps the channels of music apart', async () => {
    const file = await mix('music', await track(440, 1_000), await track(2_000))
    for (const [frequency, ...expected] of [
      [440, 0.125, 0],
      [1_000, 0, 0.125],
      [2_000, 0.125, 0.125],
    ] as const)
      for (const [channel, amplitude] of (await amplitudes(file, frequency)).entries())
        expect(amplitude, `${frequency} Hz`).toBeCloseTo(expected[channel] ?? 0, 2)
  })

  it('is silent where nothing that is sent can be decoded', async () => {
    const packets = (await track(440)).packets.map(packet => ({ ...packet, data: Buffer.of(0xff, 0xff) }))
    const file = await mix('junk', { packets } as AudioTrack)
    for (const amplitude of await amplitudes(file, 440)) expect(amplitude).toBeCloseTo(0, 3)
  })

  it('is silent without tracks', async () => {
    for (const amplitude of await amplitudes(await mix('silence'), 440)) expect(amplitude).toBeCloseTo(0, 3)
  })
})
