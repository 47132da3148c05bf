import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEngine } from '../engines/index.ts'
import type { Engine } from '../engines/port.ts'
import { Recognition } from '../recognition/recognition.ts'
import { FakeHeldJob, FakeTrack } from '../testing/held-job.ts'
import { GO_FORWARD_TEXT, goForward, opusPackets } from '../testing/speech.ts'
import { transcribe } from './transcribe.ts'
import type { Document } from './transcript.ts'

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

/** A session with Anna and Ben, and a run that listens. */
function begin(job: ConstructorParameters<typeof FakeHeldJob>[1] = {}) {
  const held = new FakeHeldJob(folder, job)
  held.enter('42.1.1', '7', 'Anna')
  held.enter('42.1.2', '8', 'Ben')
  const recognition = new Recognition(engine, { threads: 2, voices: 10, waitingMs: 60_000 })
  const end = transcribe(held, engine, recognition)
  const document = async () => {
    expect((await end).outcome).toBe('done')
    const [file] = held.uploaded
    expect(file).toMatchObject({ path: 'transcript.json', contentType: 'application/json' })
    return JSON.parse(readFileSync(file?.file ?? '', 'utf8')) as Document
  }
  return { held, end, document }
}

const segment = (seq: number, name: string, text: string, partial = false) =>
  expect.objectContaining({ seq, text, partial, speaker: expect.objectContaining({ name }) })

describe('a run', () => {
  it('tells while it goes on what is said, and by whom', async () => {
    const { held, document } = begin()
    const track = held.offer(new FakeTrack('42.1.1'))
    track.send(packets)
    await expect.poll(() => held.phrases, { timeout: 30_000 }).toHaveLength(1)
    expect(held.phrases[0]).toMatchObject({
      seq: 1,
      participant_id: '42.1.1',
      user_id: '7',
      text: GO_FORWARD_TEXT,
    })
    expect(held.told).toEqual([{ active: true, details: { started_at_ms: expect.any(Number) } }])
    held.askToStop()
    const { text, segments, reason, language, engine: name } = await document()
    expect({ text, reason, language, name }).toEqual({
      text: GO_FORWARD_TEXT,
      reason: 'stopped',
      language: 'en-US',
      name: 'vosk',
    })
    expect(segments).toEqual([segment(1, 'Anna', GO_FORWARD_TEXT)])
    expect(held.told.at(-1)).toEqual({ active: false })
  })

  it('keeps two texts apart when two people speak at once', async () => {
    const { held, document } = begin()
    for (const id of ['42.1.1', '42.1.2']) held.offer(new FakeTrack(id)).send(packets)
    await expect.poll(() => held.phrases, { timeout: 30_000 }).toHaveLength(2)
    held.askToStop()
    const { segments } = await document()
    expect(segments.map(({ speaker, text }) => [speaker.client_id, speaker.device_id, text]).sort()).toEqual([
      [7, 1, GO_FORWARD_TEXT],
      [8, 2, GO_FORWARD_TEXT],
    ])
  })

  it('X7 keeps the last phrase when it is stopped in the middle', async () => {
    const { held, document } = begin()
    held.offer(new FakeTrack('42.1.1')).send(packets.slice(0, 75))
    await sleep(50)
    held.askToStop()
    const { text, segments } = await document()
    expect(text).toBe('go forward')
    expect(segments).toEqual([segment(1, 'Anna', 'go forward', true)])
    expect(held.phrases).toHaveLength(1)
  })

  it('X7 keeps the last phrase when the session ends, and knows still who said it', async () => {
    const { held, document } = begin()
    const track = held.offer(new FakeTrack('42.1.1'))
    track.send(packets)
    await sleep(20)
    held.endSession()
    track.end()
    held.askToStop()
    const { reason, segments } = await document()
    expect(reason).toBe('session_ended')
    expect(segments).toEqual([segment(1, 'Anna', GO_FORWARD_TEXT, true)])
  })

  it('X7 ends with what it has when its process is to end', async () => {
    const { held, document } = begin()
    held.offer(new FakeTrack('42.1.1')).send(packets)
    await sleep(20)
    held.askToDrain()
    const { reason, text } = await document()
    expect([reason, text]).toEqual(['drained', GO_FORWARD_TEXT])
  })

  it('is empty when nobody speaks, and deaf to the sound of screens', async () => {
    const { held, document } = begin()
    held.offer(new FakeTrack('42.1.1'))
    held.offer(new FakeTrack('42.1.2', 'screen_audio'))
    held.askToStop()
    expect(await document()).toMatchObject({ text: '', segments: [], degraded: null })
  })

  it('hears who goes away, and somebody else who comes later', async () => {
    const { held, document } = begin()
    const track = held.offer(new FakeTrack('42.1.1'))
    track.send(packets)
    await sleep(20)
    track.end()
    held.leave('42.1.1')
    await expect.poll(() => held.phrases, { timeout: 30_000 }).toHaveLength(1)
    held.offer(new FakeTrack('42.1.2')).send(packets)
    await sleep(20)
    held.askToStop()
    expect((await document()).segments).toEqual([
      segment(1, 'Anna', GO_FORWARD_TEXT, true),
      segment(2, 'Ben', GO_FORWARD_TEXT, true),
    ])
  })

  it('X8 fails when an earlier process was lost in the middle of it', async () => {
    const { end, held } = begin({ attempt: 2, details: { started_at_ms: 1 } })
    expect(await end).toEqual({ outcome: 'failed', result: { reason: 'worker_lost' } })
    expect(held.told).toEqual([])
  })

  it('begins when an earlier process had not begun', async () => {
    const { held, document } = begin({ attempt: 2 })
    held.askToStop()
    expect(await document()).toMatchObject({ status: 'completed' })
  })

  it('fails when it does not speak the language', async () => {
    expect(await begin({ params: { language: 'de-DE' } }).end).toEqual({
      outcome: 'failed',
      result: { reason: 'language_unavailable' },
    })
    const { held, document } = begin({ params: { language: 'en' } })
    held.askToStop()
    await document()
  })

  it('leaves nothing behind when the job is another worker’s', async () => {
    const { held, end } = begin()
    held.offer(new FakeTrack('42.1.1')).send(packets)
    held.lose()
    expect((await end).outcome).toBe('failed')
    expect(held.uploaded).toEqual([])
  })
})
