import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openEngine } from '../engines/index.ts'
import type { Engine } from '../engines/port.ts'
import { RecognitionScheduler } from '../recognition/recognition-scheduler.ts'
import { FakeHeldJob, FakeTrack } from '../testing/held-job.ts'
import { GO_FORWARD_TEXT, goForward, opusPackets } from '../testing/speech.ts'
import { transcribe } from './transcribe.ts'
import type { RunDocument } from './transcript.ts'

let engine: Engine
let packets: Buffer[]
const folder = mkdtempSync(join(tmpdir(), 'lectern-transcribe-'))
beforeAll(async () => {
  engine = await openEngine(null)
  packets = await opusPackets(goForward())
})
afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

/** A session with Anna and Ben, and a transcription run in progress. */
function begin(job: ConstructorParameters<typeof FakeHeldJob>[1] = {}, recogniser: Engine = engine) {
  const held = new FakeHeldJob(folder, job)
  held.enter('42.1.1', '7', 'Anna')
  held.enter('42.1.2', '8', 'Ben')
  const recognition = new RecognitionScheduler(recogniser, { threads: 2, streams: 10, queuedMs: 60_000 })
  const end = transcribe(held, recogniser, recognition)
  const document = async () => {
    expect((await end).outcome).toBe('done')
    const [file] = held.uploaded
    expect(file).toMatchObject({ path: 'transcript.json', contentType: 'application/json' })
    return JSON.parse(readFileSync(file?.file ?? '', 'utf8')) as RunDocument
  }
  return { held, end, document }
}

const segment = (seq: number, name: string, text: string, partial = false) =>
  expect.objectContaining({ seq, text, partial, speaker: expect.objectContaining({ name }) })

describe('transcription run', () => {
  it('publishes each phrase with its speaker during the run', async () => {
    const { held, document } = begin()
    const track = held.offer(new FakeTrack('42.1.1'))
    track.send(packets)
    await expect.poll(() => held.phrases).toHaveLength(1)
    expect(held.phrases[0]).toMatchObject({
      seq: 1,
      participant_id: '42.1.1',
      user_id: '7',
      text: GO_FORWARD_TEXT,
    })
    expect(held.reports).toEqual([{ active: true, details: { started_at_ms: expect.any(Number) } }])
    held.requestStop()
    const { text, segments, reason, language, engine: name } = await document()
    expect({ text, reason, language, name }).toEqual({
      text: GO_FORWARD_TEXT,
      reason: 'stopped',
      language: 'en-US',
      name: 'vosk',
    })
    expect(segments).toEqual([segment(1, 'Anna', GO_FORWARD_TEXT)])
    expect(held.reports.at(-1)).toEqual({ active: false })
  })

  it('separates the phrases of simultaneous speakers', async () => {
    const { held, document } = begin()
    for (const id of ['42.1.1', '42.1.2']) held.offer(new FakeTrack(id)).send(packets)
    await expect.poll(() => held.phrases).toHaveLength(2)
    held.requestStop()
    const { segments } = await document()
    expect(segments.map(({ speaker, text }) => [speaker.client_id, speaker.device_id, text]).sort()).toEqual([
      [7, 1, GO_FORWARD_TEXT],
      [8, 2, GO_FORWARD_TEXT],
    ])
  })

  it('X7 includes the last phrase when stopped mid-phrase (EVENT-7)', async () => {
    const { held, document } = begin()
    const track = held.offer(new FakeTrack('42.1.1'))
    track.send(packets.slice(0, 75))
    await track.received
    held.requestStop()
    const { text, segments } = await document()
    expect(text).toBe('go forward')
    expect(segments).toEqual([segment(1, 'Anna', 'go forward', true)])
    expect(held.phrases).toHaveLength(1)
  })

  it('X7 includes the last phrase and its speaker when the session ends', async () => {
    const { held, document } = begin()
    const track = held.offer(new FakeTrack('42.1.1'))
    track.send(packets)
    await track.received
    held.endSession()
    track.end()
    held.requestStop()
    const { reason, segments } = await document()
    expect(reason).toBe('session_ended')
    expect(segments).toEqual([segment(1, 'Anna', GO_FORWARD_TEXT, true)])
  })

  it('X7 finishes with what it has when the process drains', async () => {
    const { held, document } = begin()
    const track = held.offer(new FakeTrack('42.1.1'))
    track.send(packets)
    await track.received
    held.requestDrain()
    const { reason, text } = await document()
    expect([reason, text]).toEqual(['drained', GO_FORWARD_TEXT])
  })

  it('produces an empty transcript without speech and ignores screen audio', async () => {
    const { held, document } = begin()
    held.offer(new FakeTrack('42.1.1'))
    held.offer(new FakeTrack('42.1.2', 'screen_audio'))
    held.requestStop()
    expect(await document()).toMatchObject({ text: '', segments: [], degraded: null })
  })

  it('transcribes participants who leave and who join later', async () => {
    const { held, document } = begin()
    const track = held.offer(new FakeTrack('42.1.1'))
    track.send(packets)
    await track.received
    track.end()
    held.leave('42.1.1')
    await expect.poll(() => held.phrases).toHaveLength(1)
    const second = held.offer(new FakeTrack('42.1.2'))
    second.send(packets)
    await second.received
    held.requestStop()
    expect((await document()).segments).toEqual([
      segment(1, 'Anna', GO_FORWARD_TEXT, true),
      segment(2, 'Ben', GO_FORWARD_TEXT, true),
    ])
  })

  it('has times in their order when the system clock is set back during the run', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { held, document } = begin()
    held.offer(new FakeTrack('42.1.1')).send(packets)
    await expect.poll(() => held.phrases).toHaveLength(1)
    vi.setSystemTime(Date.now() - 3_600_000)
    held.offer(new FakeTrack('42.1.2')).send(packets)
    await expect.poll(() => held.phrases).toHaveLength(2)
    held.requestStop()
    const { started_at_ms, segments, ended_at_ms } = await document()
    const times = [started_at_ms, ...segments.map(({ at }) => at), ended_at_ms]
    expect(times).toEqual([...times].sort((a, b) => a - b))
  })

  it('reports a failure of the engine at once, and has every word', async () => {
    let failures = 2
    const failing: Engine = {
      ...{ name: engine.name, language: engine.language, close: async () => {} },
      async stream() {
        const stream = await engine.stream()
        let calls = 0
        return {
          accept: samples =>
            ++calls > 3 && failures-- > 0 ? Promise.reject(new Error('failure')) : stream.accept(samples),
          finish: () => stream.finish(),
        }
      },
    }
    const { held, document } = begin({}, failing)
    held.offer(new FakeTrack('42.1.1')).send(packets)
    await expect.poll(() => held.logged).toHaveLength(2)
    held.requestStop()
    expect(await document()).toMatchObject({ text: GO_FORWARD_TEXT, status: 'completed' })
  })

  it('delivers an incomplete transcript, not none, when the engine works no more', async () => {
    let isBroken = false
    const breaking: Engine = {
      ...{ name: engine.name, language: engine.language, close: async () => {} },
      stream: () => (isBroken ? Promise.reject(new Error('failure')) : engine.stream()),
    }
    const { held, document } = begin({}, breaking)
    held.offer(new FakeTrack('42.1.1')).send(packets)
    await expect.poll(() => held.phrases).toHaveLength(1)
    isBroken = true
    const track = held.offer(new FakeTrack('42.1.2'))
    track.send(packets)
    await track.received
    held.requestStop()
    expect(await document()).toMatchObject({ text: GO_FORWARD_TEXT, status: 'incomplete' })
  })

  it('X8 fails when an earlier attempt was lost mid-run', async () => {
    const { end, held } = begin({ attempt: 2, details: { started_at_ms: 1 } })
    expect(await end).toEqual({ outcome: 'failed', result: { reason: 'worker_lost' } })
    expect(held.reports).toEqual([])
  })

  it('starts when an earlier attempt had not started', async () => {
    const { held, document } = begin({ attempt: 2 })
    held.requestStop()
    expect(await document()).toMatchObject({ status: 'completed' })
  })

  it('fails for a language the engine does not support', async () => {
    expect(await begin({ params: { language: 'de-DE' } }).end).toEqual({
      outcome: 'failed',
      result: { reason: 'language_unavailable' },
    })
    const { held, document } = begin({ params: { language: 'en' } })
    held.requestStop()
    await document()
  })

  it('uploads nothing once another worker holds the job', async () => {
    const { held, end } = begin()
    held.offer(new FakeTrack('42.1.1')).send(packets)
    held.lose()
    expect((await end).outcome).toBe('failed')
    expect(held.uploaded).toEqual([])
  })
})
