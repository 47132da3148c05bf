import type { CommandData } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { LEASE_MS, WORKER_TIMEOUT_MS } from '../../records/jobs/limits.ts'
import { createHarness, TAG } from '../testing/control-harness.ts'
import type { RawClient } from '../testing/raw-client.ts'

const worker_id = 'tr-1'
const kindOf = (id: string) => ({ kind: 'operation', id }) as const

async function lease(worker: RawClient, holding: string[] = []) {
  const result = await worker.command('job.lease', { worker_id, holding }, kindOf('transcription'))
  return (result.data as CommandData<'job.lease'>).job
}

/** An ordinary conference that Anna moderates, and a transcriber that has asked for work. */
async function begin() {
  const harness = await createHarness()
  harness.directory.known.set(TAG, { tag: TAG, title: '', kind: 'ordinary', ownerId: null, entry: 'open' })
  Object.assign(harness.authenticator.user('transcriber'), {
    kind: 'worker',
    capabilities: ['jobs.transcriber'],
  })
  const worker = await harness.connect('transcriber')
  expect(await lease(worker)).toBeNull()
  const anna = await harness.enter('anna', 'moderator')
  anna.events()
  return { harness, worker, anna }
}

async function transcribed() {
  const { harness, worker, anna } = await begin()
  expect(await anna.command('transcription.start', { language: 'en-US' })).toMatchObject({
    status: 'committed',
  })
  const job = await lease(worker)
  if (!job) throw new Error('there is no job')
  const about = (name: string, body: object, by = worker) =>
    by.command(name, { worker_id, ...body }, kindOf(job.job_id))
  return { harness, worker, anna, job, about }
}

const spoken = (seq: number, text: string) => ({
  seq,
  participant_id: '1.1.1',
  user_id: '7',
  display_name: 'Anna',
  text,
  at_ms: 1_700_000_000_000,
})

describe('transcription', () => {
  it('X1 is queued with the requested language', async () => {
    const { job } = await transcribed()
    expect(job).toMatchObject({
      kind: 'transcription',
      scope: 'manual',
      conference_tag: TAG,
      params: { language: 'en-US' },
      attempt: 1,
      stop: false,
    })
  })

  it('X2 is refused when no transcriber was active recently', async () => {
    const { harness, worker, anna } = await begin()
    await harness.pass(WORKER_TIMEOUT_MS + 1000)
    expect(await anna.command('transcription.start', {})).toMatchObject({
      status: 'rejected',
      error: { code: 'temporarily_unavailable', extensions: { reason: 'transcription_unavailable' } },
    })
    await lease(worker)
    expect(await anna.command('transcription.start', {})).toMatchObject({ status: 'committed' })
  })

  it('X2 is possible while a transcriber works, whether it polls for jobs or not', async () => {
    const { harness, about, anna } = await transcribed()
    for (let i = 0; i < 4; i++) {
      await harness.pass(WORKER_TIMEOUT_MS / 3)
      await about('job.renew', {})
    }
    expect(await anna.command('transcription.start', {})).toMatchObject({ status: 'committed' })
  })

  it('X3 is part of the state while the worker is active', async () => {
    const { anna, about } = await transcribed()
    await about('job.progress', { active: true })
    await about('job.progress', { active: false })
    expect(anna.events()).toMatchObject([
      { name: 'transcription.changed', body: { active: true } },
      { name: 'transcription.changed', body: { active: false } },
    ])
  })

  it('X4 sends phrases as events and partial ones as signals', async () => {
    const { anna, about, job, harness } = await transcribed()
    const phrases = [spoken(1, 'one'), spoken(2, 'two')]
    const partials = [{ participant_id: '1.1.1', text: 'thr' }]
    expect(await about('job.phrases', { phrases, partials })).toMatchObject({ data: { stop: false } })
    await about('job.phrases', { phrases, partials: [] })
    const published = phrases.map(({ seq, ...rest }) => ({ phrase_id: `${job.job_id}.${seq}`, ...rest }))
    expect(anna.events()).toMatchObject(
      published.map(phrase => ({ name: 'transcription.phrase', body: { phrase } })),
    )
    expect(anna.take('control_signal')).toMatchObject([
      { name: 'transcription.partial', source_id: '1.1.1', body: { text: 'thr' }, ttl_ms: 3000 },
    ])
    await harness.enter('ben')
    expect(harness.registry.state(Number(anna.sessionId))?.state.phrases).toEqual(published)
  })

  it('X5 accepts phrases only from the holder of the job', async () => {
    const { harness, anna, worker, about } = await transcribed()
    const said = { phrases: [spoken(1, 'lies')], partials: [] }
    const other = await harness.connect('mallory')
    const refused = { status: 'rejected', error: { extensions: { reason: 'not_held' } } }
    expect(await about('job.phrases', said, other)).toMatchObject(refused)
    expect(await about('job.phrases', { ...said, worker_id: 'tr-2' })).toMatchObject(refused)
    // A recorder with a job of its own.
    Object.assign(harness.authenticator.user('transcriber'), { capabilities: ['jobs.recorder'] })
    await anna.command('recording.start', {})
    const leased = await worker.command('job.lease', { worker_id, holding: [] }, kindOf('recording'))
    const { job } = leased.data as CommandData<'job.lease'>
    expect(
      await worker.command('job.phrases', { worker_id, ...said }, kindOf(job?.job_id ?? '')),
    ).toMatchObject(refused)
    expect(anna.eventNames()).toEqual([])
  })

  it('X6 runs once at a time, and starts another run after a stop (EVENT-6)', async () => {
    const { anna, worker, job, about } = await transcribed()
    await anna.command('transcription.start', {})
    const holding = [job.job_id]
    const ask = async () =>
      (await worker.command('job.lease', { worker_id, holding }, kindOf('transcription'))).data
    expect(await ask()).toEqual({ job: null })
    await anna.command('transcription.stop', {})
    expect((await about('job.renew', {})).data).toMatchObject({ stop: true })
    await anna.command('transcription.start', {})
    const next = ((await ask()) as CommandData<'job.lease'>).job
    expect(next).toMatchObject({ conference_session_id: job.conference_session_id, attempt: 1 })
    expect(next?.job_id).not.toBe(job.job_id)
  })

  it('X8 fails when its worker is lost, after which another run starts (EVENT-8)', async () => {
    const { harness, anna, worker, job, about } = await transcribed()
    await about('job.progress', { active: true, details: { started_at_ms: 1 } })
    anna.events()
    await harness.pass(LEASE_MS)
    expect(anna.events()).toMatchObject([{ name: 'transcription.changed', body: { active: false } }])
    await anna.command('transcription.start', {})
    const leased = [await lease(worker), await lease(worker, [job.job_id])]
    expect(leased[0]).toMatchObject({
      job_id: job.job_id,
      attempt: 2,
      stop: true,
      details: { started_at_ms: 1 },
    })
    expect(leased[1]).toMatchObject({ attempt: 1, stop: false })
  })

  it('X8 starts another run before the former one has failed', async () => {
    const { anna, worker, job, about } = await transcribed()
    await about('job.progress', { active: true, details: { started_at_ms: 1 } })
    expect(await lease(worker)).toMatchObject({ job_id: job.job_id, attempt: 2 })
    await anna.command('transcription.start', {})
    const next = await lease(worker, [job.job_id])
    expect(next).toMatchObject({ attempt: 1, stop: false })
    expect((await about('job.renew', {})).data).toMatchObject({ stop: true })
  })
})
