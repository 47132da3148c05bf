import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { recordSession } from './record-session.ts'
import { COMPOSED_WITHIN_MS, callOf, delivered, options } from './testing/call.ts'
import { FakeTrack } from './testing/fake-track.ts'
import { brightness, colours, loudness, probe, sound } from './testing/inspect-media.ts'
import { makeRtp, type RtpStream } from './testing/real-rtp.ts'

vi.setConfig({ testTimeout: COMPOSED_WITHIN_MS, hookTimeout: COMPOSED_WITHIN_MS })

const SECONDS = 32.4

/** White for 200 ms on both sides of the boundary between the first two chunks, each with a beep. */
const FLASHES = [3, 29.9]
const during = FLASHES.map(at => `between(t,${at},${at + 0.2})`).join('+')

let streams: Record<'anna' | 'annaVoice' | 'ben' | 'benVoice' | 'screen', RtpStream>

beforeAll(async () => {
  const [anna, annaVoice, ben, benVoice, screen] = await Promise.all([
    makeRtp('video/VP8', 'color=red:s=320x180:r=15', SECONDS),
    makeRtp('audio/opus', 'sine=440:r=48000', SECONDS),
    makeRtp('video/H264', `color=blue:s=320x240:r=25,drawbox=c=white:t=fill:enable='${during}'`, SECONDS),
    makeRtp('audio/opus', `aevalsrc='0.5*sin(2*PI*1000*t)*(${during})':s=48000`, SECONDS),
    makeRtp('video/VP9', 'color=lime:s=640x360:r=10', 3),
  ])
  streams = { anna, annaVoice, ben, benVoice, screen }
})

const isRed = ([r = 0, g = 0, b = 0]: number[]) => r > 180 && g < 80 && b < 80
const isBlue = ([r = 0, g = 0, b = 0]: number[]) => r < 80 && g < 80 && b > 180
const isGreen = ([r = 0, g = 0, b = 0]: number[]) => r < 80 && g > 180 && b < 80

describe('consolidated_native', () => {
  let call: Awaited<ReturnType<typeof callOf>>
  let file: string
  let end: Awaited<ReturnType<ReturnType<typeof recordSession>>>
  let samples: Float32Array

  beforeAll(async () => {
    call = await callOf()
    const { job, startedAtMs } = call
    const [anna, ben] = ['42.1.1', '42.1.2']
    const camera = new FakeTrack({
      publicationId: 'p1',
      participantId: anna,
      source: 'camera',
      stream: streams.anna,
      fromMs: 0,
    })
    const all = [
      camera,
      new FakeTrack({
        publicationId: 'p2',
        participantId: anna,
        source: 'microphone',
        stream: streams.annaVoice,
        fromMs: 0,
      }),
      new FakeTrack({
        publicationId: 'p3',
        participantId: ben,
        source: 'camera',
        stream: streams.ben,
        fromMs: 0,
        delayOf: jitter,
      }),
      new FakeTrack({
        publicationId: 'p4',
        participantId: ben,
        source: 'microphone',
        stream: streams.benVoice,
        fromMs: 0,
        delayOf: jitter,
      }),
    ]
    const screen = new FakeTrack({
      publicationId: 'p5',
      participantId: ben,
      source: 'screen',
      stream: streams.screen,
      fromMs: 4000,
    })
    job.people(['Anna {\\b1}', 'Ben'], startedAtMs)
    for (const track of all) job.add(track)
    const recording = recordSession(options())(job)
    await delivered(...all)
    job.add(screen)
    await delivered(screen)
    for (const track of all) track.play(startedAtMs, 0, track === camera ? 8000 : 1e6)
    screen.play(startedAtMs, 0, 1e6)
    screen.end(startedAtMs + 7000)
    job.raiseHand(ben, startedAtMs + 2000, startedAtMs + 2050)
    job.raiseHand(ben, null, startedAtMs + 5000)
    camera.pause(true, startedAtMs + 8000)
    job.endSession(startedAtMs + SECONDS * 1000)
    end = await recording
    file = join(call.archive, 'recording.mkv')
    samples = await sound(file)
  })
  afterAll(() => call.remove())

  /** Delays as in a network: some packets later than others, and some out of order. */
  const jitter = (_: number, index: number) => 5 + ((index * 37) % 60)

  it('produces one Matroska file with H.264 and Opus of the length of the call', async () => {
    const { format, streams: found } = await probe(file)
    expect(format.format_name).toContain('matroska')
    expect(found.map(({ codec_name }) => codec_name)).toEqual(['h264', 'opus'])
    expect(found[0]).toMatchObject({ width: 1280, height: 720, nb_read_packets: String(SECONDS * 25) })
    expect(Math.abs(Number(format.duration) - SECONDS)).toBeLessThan(0.1)
    expect(Math.abs(samples.length / 48_000 - SECONDS)).toBeLessThan(0.05)
  })

  it('reports the result to the server', () => {
    expect(end).toMatchObject({
      outcome: 'done',
      result: {
        status: 'completed',
        profile: 'consolidated_native',
        started_at_ms: call.startedAtMs,
        duration_ms: 32_400,
      },
    })
    expect(call.job.uploaded.map(({ path }) => path)).toEqual([
      'recording.mkv',
      'attendance.csv',
      'attendance.json',
      'chapters.json',
      'poster.jpg',
      'events.jsonl',
      'report.json',
      'report.jsonl',
    ])
    expect(call.job.reports).toEqual([true, false])
  })

  it('shows two cameras side by side', async () => {
    const [left, right] = await colours(file, 2, [
      [320, 360],
      [960, 360],
    ])
    expect([isRed(left ?? []), isBlue(right ?? [])]).toEqual([true, true])
  })

  it('shows a shared screen with cameras beside it', async () => {
    const [large, first, second] = await colours(file, 5.5, [
      [490, 360],
      [1130, 276],
      [1130, 440],
    ])
    expect([isGreen(large ?? []), isRed(first ?? []), isBlue(second ?? [])]).toEqual([true, true, true])
  })

  it('shows a placeholder for a camera that is off', async () => {
    const [corner, right] = await colours(file, 11, [
      [40, 200],
      [960, 360],
    ])
    expect(corner).toEqual([expect.closeTo(0x23, -1), expect.closeTo(0x26, -1), expect.closeTo(0x2d, -1)])
    expect(isBlue(right ?? [])).toBe(true)
  })

  it('mixes all speakers without audible chunk boundaries', () => {
    expect(loudness(samples, 440, 1, 2)).toBeCloseTo(0.125, 1)
    expect(loudness(samples, 1000, FLASHES[1] ?? 0, (FLASHES[1] ?? 0) + 0.2)).toBeGreaterThan(0.4)
    expect(loudness(samples, 1000, 5, 6)).toBeLessThan(0.01)
    const steady = residue(samples, 31, 31.6)
    expect(residue(samples, 30.15, 30.3)).toBeLessThan(steady * 2 + 0.002)
  })

  it('keeps audio and video in sync across chunk boundaries', async () => {
    const lights = await brightness(file, 960, 300)
    for (const at of FLASHES) {
      const flash = lights.findIndex((light, frame) => frame / 25 > at - 1 && light > 200) / 25
      const beep = firstBeep(samples, at - 1)
      expect(Math.abs(flash - at)).toBeLessThan(0.06)
      expect(Math.abs(flash - beep)).toBeLessThan(0.06)
    }
  })

  it('creates a poster of a moment with both cameras and the screen', async () => {
    const poster = join(call.archive, 'poster.jpg')
    const { streams: images } = await probe(poster)
    expect(images).toMatchObject([{ codec_name: 'mjpeg', width: 1280, height: 720 }])
    const [large, first, second] = await colours(poster, 0, [
      [490, 360],
      [1130, 276],
      [1130, 440],
    ])
    expect([isGreen(large ?? []), isRed(first ?? []), isBlue(second ?? [])]).toEqual([true, true, true])
  })

  it('lists attendance, talk time, raised hands and chapters, in files of their own too', async () => {
    const read = async (path: string) => JSON.parse(await readFile(join(call.archive, path), 'utf8'))
    const { attendance, chapters } = await read('report.json')
    expect(await read('attendance.json')).toMatchObject({
      format: 'lectern.recording.attendance.1',
      people: attendance,
    })
    expect(await read('chapters.json')).toMatchObject({ format: 'lectern.recording.chapters.1', chapters })
    const { startedAtMs } = call
    expect(attendance).toMatchObject([
      {
        name: 'Anna {\\b1}',
        external_id: 'teacher-1',
        role: 'moderator',
        joined_at_ms: startedAtMs,
        left_at_ms: null,
        hand_count: 0,
      },
      {
        name: 'Ben',
        user_id: '2',
        external_id: null,
        joined_at_ms: startedAtMs + 1,
        hand_count: 1,
        hand_ms: 3000,
      },
    ])
    expect(attendance[0].present_ms).toBe(32_400)
    expect(attendance[0].talk_ms).toBeGreaterThan(30_000)
    expect(chapters).toMatchObject([
      { kind: 'speaker', from_ms: expect.closeTo(0, -2), user_id: '1', external_id: 'teacher-1' },
      { kind: 'screen', from_ms: expect.closeTo(4000, -3), to_ms: 7000, name: 'Ben', external_id: null },
    ])
    const csv = await readFile(join(call.archive, 'attendance.csv'), 'utf8')
    expect(csv.split('\r\n')[2]).toMatch(/^"Ben","participant","2","2.*Z","","1","32",/)
  })

  it('reports tracks, losses and participants', async () => {
    const report = JSON.parse(await readFile(join(call.archive, 'report.json'), 'utf8'))
    expect(report).toMatchObject({
      job_id: 'job-1',
      conference_session_id: 42,
      status: 'completed',
      troubles: [],
    })
    expect(report.people).toHaveLength(2)
    expect(report.tracks).toHaveLength(5)
    for (const track of report.tracks)
      expect(track).toMatchObject({ lost: 0, late: 0, misplaced: 0, clock_leaps: 0 })
  })
})

/** The rest without a tone of 440 Hz: clicks, mostly. */
function residue(samples: Float32Array, from: number, to: number): number {
  let worst = 0
  const period = 48_000 / 440
  for (let at = Math.round(from * 48_000); at < to * 48_000; at++) {
    const before = at - period
    const low = Math.floor(before)
    const expected = (samples[low] ?? 0) * (1 - (before - low)) + (samples[low + 1] ?? 0) * (before - low)
    worst = Math.max(worst, Math.abs((samples[at] ?? 0) - expected))
  }
  return worst
}

function firstBeep(samples: Float32Array, from: number): number {
  for (let at = from; ; at += 0.005) if (loudness(samples, 1000, at, at + 0.01) > 0.15) return at
}
