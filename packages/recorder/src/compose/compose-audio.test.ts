import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isStereo, SAMPLE_RATE, SILENCE_SAMPLES } from '../frames/opus.ts'
import { loudness, sound } from '../testing/inspect-media.ts'
import type { AudioTrack } from '../tracks/audio-track.ts'
import { ffmpegArguments } from './command.ts'
import { LEAD_IN_PACKETS, prepareMix } from './compose-audio.ts'
import { Ffmpeg } from './ffmpeg.ts'
import { packetsOf } from './packets.ts'

const run = promisify(execFile)

/** When the tracks begin, and the chunk a second later, in samples. */
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

async function mix(name: string, ...tracks: AudioTrack[]) {
  const step = await prepareMix(folder, name, START, SECONDS * SAMPLE_RATE, tracks)
  await new Ffmpeg().run(ffmpegArguments([step]), {
    cwd: folder,
    isLive: false,
    signal: new AbortController().signal,
  })
  const file = join(folder, `${name}.mka`)
  const packets = (await packetsOf(file)).slice(LEAD_IN_PACKETS)
  return { file, channels: new Set(packets.map(({ data }) => (isStereo(Buffer.from(data)) ? 2 : 1))) }
}

/** The amplitude of a tone, in one channel or in the middle of both. */
async function amplitude(file: string, frequency: number, channel?: 0 | 1) {
  return loudness(await sound(file, channel), frequency, 2, 3)
}

describe('the sound of a chunk', () => {
  it('is mono where all microphones are, as loud as they are', async () => {
    const { file, channels } = await mix('voices', await track(440), await track(1_000))
    expect([...channels]).toEqual([1])
    for (const frequency of [440, 1_000]) expect(await amplitude(file, frequency)).toBeCloseTo(0.125, 2)
  })

  it('keeps the channels of music apart, with voices in both', async () => {
    const { file, channels } = await mix('music', await track(440, 1_000), await track(2_000))
    expect([...channels]).toEqual([2])
    for (const [frequency, left, right] of [
      [440, 0.125, 0],
      [1_000, 0, 0.125],
      [2_000, 0.125, 0.125],
    ] as const) {
      expect(await amplitude(file, frequency, 0)).toBeCloseTo(left, 2)
      expect(await amplitude(file, frequency, 1)).toBeCloseTo(right, 2)
    }
  })

  it('is silent without tracks', async () => {
    const { file } = await mix('silence')
    expect(await amplitude(file, 440)).toBeCloseTo(0, 3)
  })
})
