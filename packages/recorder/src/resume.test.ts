import { appendFile, readdir, readFile, rename, rm, stat, symlink, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { recordSession } from './record-session.ts'
import { RecordingState } from './state.ts'
import { COMPOSED_WITHIN_MS, callOf, delivered, options } from './testing/call.ts'
import { FakeJob } from './testing/fake-job.ts'
import { FakeTrack } from './testing/fake-track.ts'
import { colours, loudness, probe, sound } from './testing/inspect-media.ts'
import { makeRtp } from './testing/real-rtp.ts'

vi.setConfig({ testTimeout: COMPOSED_WITHIN_MS })

const CENTRE: [number, number] = [640, 360]

/** Resolves when the journals hold more than so many bytes: each packet has a header of the journal before it. */
async function written(folder: string, bytes: number) {
  const sizeOf = async (name: string) => (await stat(join(folder, name))).size
  for (let size = 0; size <= bytes; await sleep(10))
    size = (await Promise.all((await readdir(folder)).map(sizeOf))).reduce((sum, each) => sum + each, 0)
}

/** A kill is played by a copy of the folder: what a process writes is there for the next at any moment. */
it('resumes from disk after each kill without composing anything twice', async () => {
  const [red, blue, voice] = await Promise.all([
    makeRtp('video/VP8', 'color=red:s=320x180:r=10', 6),
    makeRtp('video/VP8', 'color=blue:s=320x180:r=10', 4),
    makeRtp('audio/opus', 'sine=440:r=48000', 6),
  ])
  const tracksOf = (stream: typeof red, fromMs: number) => [
    new FakeTrack({ publicationId: 'p1', participantId: '42.1.1', source: 'camera', stream, fromMs }),
    new FakeTrack({
      publicationId: 'p2',
      participantId: '42.1.1',
      source: 'microphone',
      stream: voice,
      fromMs,
    }),
  ]
  const call = await callOf()
  const { archive, startedAtMs } = call

  // Killed in the call, while a block and a line were written.
  const before = tracksOf(red, 0)
  call.job.people(['Anna'], startedAtMs)
  call.job.raiseHand('42.1.1', startedAtMs + 1000, startedAtMs + 1000)
  for (const track of before) call.job.add(track)
  const first = recordSession(options())(call.job)
  await delivered(...before)
  for (const track of before) track.play(startedAtMs, 0, 1e6)
  const sent = [red, voice].flatMap(({ packets }) => packets.map(({ rtp }) => rtp.length))
  await written(
    join(call.job.folder, 'tracks'),
    sent.reduce((sum, length) => sum + length),
  )
  const second = await call.afterKill()
  call.job.leave()
  await expect(first).rejects.toThrow('draining')
  const [journal = ''] = await readdir(join(second, 'tracks'))
  await appendFile(join(second, 'tracks', journal), Buffer.from([0, 0, 1, 0, 1, 2, 3]))
  await appendFile(join(second, 'events.jsonl'), '{"at_ms":17')

  // Killed when the first of two chunks was complete and the second had begun.
  const job2 = new FakeJob(second, archive)
  job2.people(['Anna'], startedAtMs)
  job2.raiseHand('42.1.1', startedAtMs + 1000, startedAtMs + 8000)
  const after = tracksOf(blue, 28_000)
  for (const track of after) job2.add(track)
  const composing = recordSession(options())(job2)
  await delivered(...after)
  for (const track of after) track.play(startedAtMs, 0, 32_000)
  job2.raiseHand('42.1.1', null, startedAtMs + 9000)
  job2.endSession(startedAtMs + 32_000)
  await composing
  const completeChunk = join(second, 'chunks', '000000000-750')
  const modifiedMs = (await stat(completeChunk)).mtimeMs
  await rename(join(second, 'chunks', '000000750-800'), join(second, 'chunks', 'making-000000750-800'))
  await rm(join(second, 'output'), { recursive: true })
  await rm(archive, { recursive: true })

  const job3 = new FakeJob(second, archive)
  job3.askToStop()
  const end = await recordSession(options())(job3)
  expect(end).toMatchObject({ outcome: 'done', result: { status: 'completed', duration_ms: 32_000 } })
  expect((await stat(completeChunk)).mtimeMs).toBe(modifiedMs)

  const file = join(archive, 'recording.mkv')
  expect(Math.abs(Number((await probe(file)).format.duration) - 32)).toBeLessThan(0.1)
  expect((await colours(file, 5.5, [CENTRE]))[0]?.[0]).toBeGreaterThan(200)
  expect((await colours(file, 31, [CENTRE]))[0]?.[2]).toBeGreaterThan(200)
  const samples = await sound(file)
  expect(loudness(samples, 440, 5, 5.9)).toBeGreaterThan(0.07)
  expect(loudness(samples, 440, 6.5, 7.5)).toBeLessThan(0.001)
  expect(loudness(samples, 440, 28.2, 31.8)).toBeGreaterThan(0.07)
  const report = JSON.parse(await readFile(join(archive, 'report.json'), 'utf8'))
  expect(report.attempts).toHaveLength(3)
  expect(report.tracks).toHaveLength(4)
  // Of both attempts: the hand went up in the first and down in the second.
  expect(report.attendance).toMatchObject([
    { name: 'Anna', present_ms: 32_000, hand_count: 1, hand_ms: 8_000, stays: [{ left_at_ms: null }] },
  ])
  expect(report.attendance[0].talk_ms).toBeGreaterThan(8_000)
  expect(report.chapters).toMatchObject([{ kind: 'speaker', name: 'Anna' }])
  expect((await probe(join(archive, 'poster.jpg'))).streams[0]).toMatchObject({ width: 1280, height: 720 })
  await call.remove()
})

it('fails with a reason when the session ended before anything was captured', async () => {
  const call = await callOf({}, Date.now())
  call.job.askToStop()
  const end = await recordSession(options())(call.job)
  expect(end).toMatchObject({
    outcome: 'failed',
    result: { reason: expect.stringContaining('ended before') },
  })
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

it('survives a full disk and reports what was not written', async () => {
  const voice = await makeRtp('audio/opus', 'sine=440:r=48000', 1)
  const call = await callOf()
  const track = new FakeTrack({
    ...{ publicationId: 'p1', participantId: '42.1.1', source: 'microphone', stream: voice, fromMs: 0 },
  })
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
