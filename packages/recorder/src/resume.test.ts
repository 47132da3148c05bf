import { appendFile, readdir, readFile, rename, rm, stat, symlink, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { recordSession } from './record-session.ts'
import { EventLog } from './session/event-log.ts'
import { RecordingState } from './state.ts'
import { COMPOSED_WITHIN_MS, callOf, delivered, options } from './testing/call.ts'
import { FakeJob } from './testing/fake-job.ts'
import { FakeTrack } from './testing/fake-track.ts'
import { colours, loudness, probe, sound } from './testing/inspect-media.ts'
import { makeRtp } from './testing/real-rtp.ts'

vi.setConfig({ testTimeout: COMPOSED_WITHIN_MS })

const CENTRE: [number, number] = [640, 360]

type Call = Awaited<ReturnType<typeof callOf>>
type Media = Awaited<ReturnType<typeof makeMedia>>

const makeMedia = async () => {
  const [red, blue, voice] = await Promise.all([
    makeRtp('video/VP8', 'color=red:s=320x180:r=10', 6),
    makeRtp('video/VP8', 'color=blue:s=320x180:r=10', 4),
    makeRtp('audio/opus', 'sine=440:r=48000', 6),
  ])
  return { red, blue, voice }
}

/** Anna's camera and microphone. */
function tracksOf(camera: Media['red'], microphone: Media['voice'], fromMs: number) {
  const anna = { participantId: '42.1.1', fromMs }
  return [
    new FakeTrack({ ...anna, publicationId: 'p1', source: 'camera', stream: camera }),
    new FakeTrack({ ...anna, publicationId: 'p2', source: 'microphone', stream: microphone }),
  ]
}

/** Resolves when the journals in the folder have more bytes: they also contain a header for each packet. */
async function untilWritten(folder: string, bytes: number) {
  const sizeOf = async (name: string) => (await stat(join(folder, name))).size
  for (let size = 0; size <= bytes; await sleep(10))
    size = (await Promise.all((await readdir(folder)).map(sizeOf))).reduce((sum, each) => sum + each, 0)
}

/** The first attempt records six seconds of red and a raised hand, and is killed amid a block and a line. */
async function killWhileRecording({ job, startedAtMs, afterKill }: Call, { red, voice }: Media) {
  const tracks = tracksOf(red, voice, 0)
  job.people(['Anna'], startedAtMs)
  job.raiseHand('42.1.1', startedAtMs + 1000, startedAtMs + 1000)
  for (const track of tracks) job.add(track)
  const recording = recordSession(options())(job)
  await delivered(...tracks)
  for (const track of tracks) track.play(startedAtMs, 0, 1e6)
  const packets = [...red.packets, ...voice.packets]
  await untilWritten(
    join(job.folder, 'tracks'),
    packets.reduce((bytes, { rtp }) => bytes + rtp.length, 0),
  )
  const folder = await afterKill()
  job.leave()
  await expect(recording).rejects.toThrow('draining')
  const [journal = ''] = await readdir(join(folder, 'tracks'))
  await appendFile(join(folder, 'tracks', journal), Buffer.from([0, 0, 1, 0, 1, 2, 3]))
  await appendFile(join(folder, 'events.jsonl'), '{"at_ms":17')
  return folder
}

/**
 * The second attempt records four seconds of blue from the 28th second on, and the end. It is killed when the first of
 * two chunks is composed and the second has begun. Returns the first chunk.
 */
async function killWhileComposing(folder: string, { archive, startedAtMs }: Call, { blue, voice }: Media) {
  const job = new FakeJob(folder, archive)
  const tracks = tracksOf(blue, voice, 28_000)
  job.people(['Anna'], startedAtMs)
  job.raiseHand('42.1.1', startedAtMs + 1000, startedAtMs + 8000)
  for (const track of tracks) job.add(track)
  const recording = recordSession(options())(job)
  await delivered(...tracks)
  for (const track of tracks) track.play(startedAtMs, 0, 32_000)
  job.raiseHand('42.1.1', null, startedAtMs + 9000)
  job.endSession(startedAtMs + 32_000)
  await recording
  const chunks = join(folder, 'chunks')
  await rename(join(chunks, '000000750-800'), join(chunks, 'making-000000750-800'))
  await rm(join(folder, 'output'), { recursive: true })
  await rm(archive, { recursive: true })
  return join(chunks, '000000000-750')
}

// A kill is simulated by a copy of the folder: the next process finds what was written before.
it('resumes from disk after each kill without composing anything twice', async () => {
  const media = await makeMedia()
  const call = await callOf()
  const { archive } = call
  const folder = await killWhileRecording(call, media)
  const chunk = await killWhileComposing(folder, call, media)
  const composedAtMs = (await stat(chunk)).mtimeMs

  const lastJob = new FakeJob(folder, archive)
  lastJob.askToStop()
  const end = await recordSession(options())(lastJob)
  expect(end).toMatchObject({ outcome: 'done', result: { status: 'completed', duration_ms: 32_000 } })
  expect((await stat(chunk)).mtimeMs).toBe(composedAtMs)

  const file = join(archive, 'recording.mkv')
  expect(Math.abs(Number((await probe(file)).format.duration) - 32)).toBeLessThan(0.1)
  const [red] = (await colours(file, 5.5, [CENTRE]))[0] ?? []
  const [, , blue] = (await colours(file, 31, [CENTRE]))[0] ?? []
  expect(red).toBeGreaterThan(200)
  expect(blue).toBeGreaterThan(200)
  const samples = await sound(file)
  expect(loudness(samples, 440, 5, 5.9)).toBeGreaterThan(0.07)
  expect(loudness(samples, 440, 6.5, 7.5)).toBeLessThan(0.001)
  expect(loudness(samples, 440, 28.2, 31.8)).toBeGreaterThan(0.07)
  expect((await probe(join(archive, 'poster.jpg'))).streams[0]).toMatchObject({ width: 1280, height: 720 })

  const report = JSON.parse(await readFile(join(archive, 'report.json'), 'utf8'))
  expect(report.attempts).toHaveLength(3)
  expect(report.tracks).toHaveLength(4)
  // The hand was raised in the first attempt and lowered in the second.
  expect(report.attendance).toMatchObject([
    { name: 'Anna', present_ms: 32_000, hand_count: 1, hand_ms: 8_000, stays: [{ left_at_ms: null }] },
  ])
  expect(report.attendance[0].talk_ms).toBeGreaterThan(8_000)
  expect(report.chapters).toMatchObject([{ kind: 'speaker', name: 'Anna' }])

  // MP4 is made of the same files, which survive the kills.
  await rm(join(folder, 'output'), { recursive: true })
  const inMp4 = new FakeJob(folder, archive, { profile: 'consolidated_mp4' })
  await recordSession(options())(inMp4)
  const mp4 = await probe(join(archive, 'recording.mp4'))
  expect(mp4.streams.map(({ nb_read_packets }) => nb_read_packets)).toEqual(['800', '1600'])
  expect(Math.abs(Number(mp4.format.duration) - 32)).toBeLessThan(0.1)
  expect((await stat(chunk)).mtimeMs).toBe(composedAtMs)
  await call.remove()
})

it('fails with a reason when the session ended before anything was captured', async () => {
  const call = await callOf({}, Date.now())
  call.job.askToStop()
  const end = await recordSession(options())(call.job)
  expect(end).toEqual({ outcome: 'failed', result: { reason: 'nothing_captured' } })
  await call.remove()
})

it('has the status stopped when stopped during the session', async () => {
  const call = await callOf({}, Date.now() - 1000)
  call.job.people(['Anna'], Date.now())
  const recording = recordSession(options())(call.job)
  while (!call.job.reports.includes(true)) await sleep(10)
  call.job.askToStop()
  expect(await recording).toMatchObject({ outcome: 'done', result: { status: 'stopped' } })
  await call.remove()
})

it('lists the people of a session that ends as soon as the recorder has subscribed to it', async () => {
  const call = await callOf({ profile: 'raw_tracks_v1' }, Date.now() - 1000)
  const { job } = call
  job.people(['Anna'], Date.now())
  const subscribe = job.onTrack.bind(job)
  job.onTrack = take => {
    queueMicrotask(() => job.endSession(Date.now()))
    return subscribe(take)
  }
  expect(await recordSession(options())(job)).toMatchObject({ outcome: 'done' })
  const { people } = JSON.parse(await readFile(join(call.archive, 'attendance.json'), 'utf8'))
  expect(people).toMatchObject([{ name: 'Anna' }])
  await call.remove()
})

it('logs who is in the spotlight, also in the next attempt, and receives that camera in its size', async () => {
  const call = await callOf()
  const { job, startedAtMs, archive } = call
  const stream = await makeRtp('video/VP8', 'color=red:s=320x180:r=5', 1)
  const cameras = ['1', '2'].map(id => {
    const participantId = `42.1.${id}`
    return new FakeTrack({ publicationId: id, participantId, source: 'camera', stream, fromMs: 0 })
  })
  const sizes = () => cameras.map(({ shownAs }) => shownAs)
  job.people(['Anna', 'Ben'], startedAtMs)
  for (const camera of cameras) job.add(camera)
  const first = recordSession(options())(job)
  await expect.poll(sizes).toEqual(['622x348', '622x348'])
  job.spotlight('2', startedAtMs + 1000)
  await expect.poll(sizes).toEqual(['272x152', '972x546'])
  const spotlitAt = (atMs: number) =>
    new EventLog(job.folder).attendance.presence
      .at(startedAtMs + atMs)
      .flatMap(each => (each.is_spotlit ? each.display_name : []))
  await expect.poll(() => spotlitAt(1500)).toEqual(['Ben'])
  job.leave()
  await expect(first).rejects.toThrow('draining')
  const again = new FakeJob(job.folder, archive)
  again.people(['Anna', 'Ben'], startedAtMs)
  again.spotlight('2', startedAtMs + 2000)
  const second = recordSession(options())(again)
  while (!again.reports.includes(true)) await sleep(10)
  again.spotlight(null, startedAtMs + 3000)
  await expect.poll(() => [500, 1500, 3500].map(spotlitAt)).toEqual([[], ['Ben'], []])
  again.leave()
  await expect(second).rejects.toThrow('draining')
  await call.remove()
})

it('survives a full disk and reports what was not written', async () => {
  const voice = await makeRtp('audio/opus', 'sine=440:r=48000', 1)
  const call = await callOf()
  const anna = { participantId: '42.1.1', fromMs: 0 }
  const track = new FakeTrack({ ...anna, publicationId: 'p1', source: 'microphone', stream: voice })
  call.job.people(['Anna'], call.startedAtMs)
  call.job.add(track)
  const recording = recordSession({ ...options(), reserveBytes: Number.MAX_SAFE_INTEGER })(call.job)
  await delivered(track)
  track.play(call.startedAtMs, 0, 1e6)
  call.job.endSession(call.startedAtMs + 1000)
  expect(await recording).toMatchObject({ outcome: 'done', result: { duration_ms: 1000 } })
  const report = JSON.parse(await readFile(join(call.archive, 'report.json'), 'utf8'))
  expect(report.troubles).toMatchObject([{ name: 'disk_full' }])
  expect(report.tracks).toMatchObject([{ packets: 0, not_written: voice.packets.length }])
  await call.remove()
})

it('waits for disk space to write its state, at the start and at the end', async () => {
  const call = await callOf({}, Date.now() - 1000)
  const saves = vi.spyOn(RecordingState.prototype, 'save')
  onTestFinished(() => saves.mockRestore())
  const failures = () => saves.mock.settledResults.filter(({ type }) => type === 'rejected').length
  const state = join(call.job.folder, 'recording.json.new')
  await symlink('/dev/full', state)
  call.job.people(['Anna'], Date.now())
  const recording = recordSession(options())(call.job)
  await expect.poll(failures).toBeGreaterThan(1)
  expect(call.job.reports).toEqual([])
  await unlink(state)
  while (!call.job.reports.includes(true)) await sleep(10)
  await symlink('/dev/full', state)
  const failuresBefore = failures()
  const endsAtMs = Date.now()
  call.job.endSession(endsAtMs)
  while (call.job.reports.at(-1)) await sleep(10)
  await expect.poll(failures).toBeGreaterThan(failuresBefore + 1)
  expect(call.job.uploaded).toEqual([])
  await unlink(state)
  expect(await recording).toMatchObject({ outcome: 'done', result: { ended_at_ms: expect.any(Number) } })
  const report = JSON.parse(await readFile(join(call.archive, 'report.json'), 'utf8'))
  expect(report.attempts).toHaveLength(1)
  expect(report.troubles).toContainEqual(expect.objectContaining({ name: 'disk_full' }))
  expect(Math.abs(report.ended_at_ms - endsAtMs)).toBeLessThan(500)
  await call.remove()
})
