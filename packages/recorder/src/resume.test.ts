import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { recordSession } from './record-session.ts'
import { callOf, heard, options } from './testing/call.ts'
import { FakeJob } from './testing/fake-job.ts'
import { FakeTrack } from './testing/fake-track.ts'
import { colours, loudness, probe, sound } from './testing/look.ts'
import { makeRtp } from './testing/real-rtp.ts'

const CENTRE: [number, number] = [640, 360]

/** A kill is played by a copy of the folder: what a process writes is there for the next at any moment. */
it('goes on after each kill with what is on the disk, and makes nothing twice', async () => {
  const [red, blue, voice] = await Promise.all([
    makeRtp('video/VP8', 'color=red:s=320x180:r=15', 10.6),
    makeRtp('video/VP8', 'color=blue:s=320x180:r=15', 2),
    makeRtp('audio/opus', 'sine=440:r=48000', 10.6),
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
  const startedAtMs = Date.now() - 13_000

  // Captured, not composed, and killed while a block was written.
  const call = await callOf({ profile: 'raw_tracks_v1' }, startedAtMs)
  const before = tracksOf(red, 0)
  call.job.people(['Anna'], startedAtMs)
  for (const track of before) call.job.add(track)
  const first = recordSession(options())(call.job)
  await heard(...before)
  for (const track of before) track.play(startedAtMs, 0, 1e6)
  await sleep(700)
  const second = await call.afterKill()
  call.job.leave()
  await expect(first).rejects.toThrow('draining')
  const [journal = ''] = await readdir(join(second, 'tracks'))
  await appendFile(join(second, 'tracks', journal), Buffer.from([0, 0, 1, 0, 1, 2, 3]))
  await appendFile(join(second, 'events.jsonl'), '{"at_ms":17')

  // Composed while the call goes on, and killed when the first chunk was whole and the second begun.
  const job2 = new FakeJob(second, call.archive)
  job2.people(['Anna'], startedAtMs)
  const composing = recordSession(options())(job2)
  const chunks = join(second, 'chunks')
  while (!(await readdir(chunks).catch(() => [] as string[])).includes('000000000-250')) await sleep(50)
  await mkdir(join(chunks, 'making-000000250-500'), { recursive: true })
  const third = await mkdtemp(join(tmpdir(), 'lectern-recorder-third-'))
  await cp(second, third, { recursive: true, preserveTimestamps: true })
  job2.leave()
  await expect(composing).rejects.toThrow('draining')

  const job3 = new FakeJob(third, call.archive)
  job3.people(['Anna'], startedAtMs)
  // Now, so that nothing of it is composed before it is there, however slow this machine is.
  const backMs = Date.now() - startedAtMs
  const endMs = Math.floor((backMs + 2000) / 40) * 40
  const after = tracksOf(blue, backMs)
  const last = recordSession(options())(job3)
  for (const track of after) job3.add(track)
  await heard(...after)
  const audio = join(third, 'chunks', '000000000-250', 'audio.mka')
  const made = (await stat(audio)).mtimeMs
  for (const track of after) track.play(startedAtMs, 0, endMs)
  job3.endSession(startedAtMs + endMs)
  expect(await last).toMatchObject({ outcome: 'done', result: { status: 'completed', duration_ms: endMs } })
  expect((await stat(audio)).mtimeMs).toBe(made)

  const file = join(call.archive, 'recording.mkv')
  expect(Math.abs(Number((await probe(file)).format.duration) - endMs / 1000)).toBeLessThan(0.1)
  expect((await colours(file, 5, [CENTRE]))[0]?.[0]).toBeGreaterThan(200)
  expect((await colours(file, 10.4, [CENTRE]))[0]?.[0]).toBeGreaterThan(200)
  expect((await colours(file, backMs / 1000 + 1, [CENTRE]))[0]?.[2]).toBeGreaterThan(200)
  const samples = await sound(file)
  expect(loudness(samples, 440, 9.5, 10.4)).toBeGreaterThan(0.07)
  expect(loudness(samples, 440, 11, 11.9)).toBeLessThan(0.001)
  expect(loudness(samples, 440, backMs / 1000 + 0.2, endMs / 1000 - 0.2)).toBeGreaterThan(0.07)
  const report = JSON.parse(await readFile(join(call.archive, 'report.json'), 'utf8'))
  expect(report.attempts).toHaveLength(3)
  expect(report.tracks).toHaveLength(4)
  await call.remove()
})

it('says so when the session was over before anything was captured', async () => {
  const call = await callOf({}, Date.now())
  call.job.askToStop()
  const end = await recordSession(options())(call.job)
  expect(end).toMatchObject({ outcome: 'failed', result: { reason: expect.stringContaining('over') } })
  await call.remove()
})

it('is stopped when it was asked to while the session goes on', async () => {
  const call = await callOf({}, Date.now() - 1000)
  call.job.people(['Anna'], Date.now())
  const recording = recordSession(options())(call.job)
  await sleep(600)
  call.job.askToStop()
  expect(await recording).toMatchObject({ outcome: 'done', result: { status: 'stopped' } })
  await call.remove()
})
