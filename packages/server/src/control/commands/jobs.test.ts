import type { CommandData, JsonObject } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { LEASE_MS, MAX_ATTEMPTS } from '../../records/jobs/limits.ts'
import { type ControlHarness, createHarness, TAG } from '../testing/control-harness.ts'
import type { RawClient } from '../testing/raw-client.ts'

const recordings = { kind: 'operation', id: 'recording' } as const
const worker_id = 'rec-1'

/** A worker of the account `recorder`, connected. */
async function recorder(harness: ControlHarness): Promise<RawClient> {
  Object.assign(harness.authenticator.user('recorder'), { kind: 'worker', capabilities: ['jobs.recorder'] })
  return harness.connect('recorder')
}

async function lease(client: RawClient, holding: string[] = [], worker = worker_id) {
  const result = await client.command('job.lease', { worker_id: worker, holding }, recordings)
  expect(result.status).toBe('committed')
  return (result.data as CommandData<'job.lease'>).job
}

const about = (client: RawClient, name: string, id: string, body: JsonObject = {}) =>
  client.command(name, { worker_id, ...body }, { kind: 'operation', id })

const done = { outcome: 'done', result: { blobs: [] } }

/** A partner's session with Anna in it, and a recorder that has leased its job. */
async function recorded() {
  const harness = await createHarness()
  const worker = await recorder(harness)
  const anna = await harness.enter('anna', 'moderator')
  const job = await lease(worker)
  if (!job) throw new Error('there is no job')
  const record = (active: boolean) => about(worker, 'job.progress', job.job_id, { active })
  const isShown = () => harness.registry.state(Number(anna.sessionId))?.state.recording
  worker.events()
  anna.events()
  return { harness, worker, anna, job, record, isShown }
}

describe('jobs', () => {
  it('J4 are changed only by their holder', async () => {
    const { harness, worker, job } = await recorded()
    const other = await harness.connect('mallory')
    for (const [name, body] of [
      ['job.renew', {}],
      ['job.progress', { active: true }],
      ['job.people', { user_ids: ['1'] }],
      ['job.finish', done],
    ] as const) {
      for (const refused of [
        await about(other, name, job.job_id, body),
        await about(worker, name, job.job_id, { ...body, worker_id: 'rec-2' }),
        await about(worker, name, 'job_none', body),
      ])
        expect(refused).toMatchObject({
          status: 'rejected',
          error: { code: 'permission_denied', extensions: { reason: 'not_held' } },
        })
    }
    expect(await about(worker, 'job.renew', job.job_id)).toMatchObject({
      status: 'committed',
      data: { lease_ms: LEASE_MS, stop: false },
    })
  })

  it('J3 fail after too many attempts, after which another can start', async () => {
    const { harness, worker, job } = await recorded()
    for (let attempt = 2; attempt <= MAX_ATTEMPTS; attempt++)
      expect(await lease(worker)).toMatchObject({ job_id: job.job_id, attempt })
    expect(await lease(worker)).toBeNull()
    const target = { kind: 'operation', id: job.job_id } as const
    expect((await worker.command('job.state', {}, target)).data).toEqual({ state: 'failed' })
    await harness.restart()
    await (await harness.connect('anna')).join()
    await worker.login()
    await worker.fresh()
    const next = await lease(worker)
    expect(next).toMatchObject({ conference_session_id: job.conference_session_id, attempt: 1 })
    expect(next?.job_id).not.toBe(job.job_id)
  })

  it('J5 are finished once, also across a crash of the server', async () => {
    const { harness, worker, job } = await recorded()
    const finish = (outcome: string) => about(worker, 'job.finish', job.job_id, { ...done, outcome })
    expect(await finish('done')).toMatchObject({ status: 'committed', data: { outcome: 'done' } })
    await harness.restart()
    await worker.login()
    await worker.fresh()
    expect(await finish('failed')).toMatchObject({ status: 'committed', data: { outcome: 'done' } })
  })

  it('J7 end with their session, of which the worker is notified, also in every result', async () => {
    const { harness, worker, job } = await recorded()
    await harness.conferences.end(TAG, 'closed')
    await harness.settle()
    expect(worker.events()).toMatchObject([
      {
        stream_id: `account:${harness.authenticator.user('recorder').id}`,
        name: 'job.stopping',
        body: { job_id: job.job_id },
      },
    ])
    expect((await about(worker, 'job.renew', job.job_id)).data).toMatchObject({ stop: true })
    expect((await about(worker, 'job.finish', job.job_id, done)).data).toEqual({ outcome: 'done' })
  })

  it('J7 end with a session that ended while the server was down', async () => {
    const { harness, worker, job } = await recorded()
    await harness.restart()
    await harness.pass(LEASE_MS)
    await worker.login()
    await worker.fresh()
    expect(await lease(worker)).toMatchObject({ job_id: job.job_id, stop: true })
  })

  it('J8 are returned to a restarted worker', async () => {
    const { worker, job } = await recorded()
    await about(worker, 'job.progress', job.job_id, { active: true, details: { tracks: 3 } })
    await worker.login()
    await worker.fresh()
    expect(await lease(worker, [], 'rec-2')).toBeNull()
    expect(await lease(worker)).toMatchObject({ job_id: job.job_id, attempt: 2, details: { tracks: 3 } })
    expect(await lease(worker, [job.job_id])).toBeNull()
  })

  it('J9 are leased by accounts with the capability of their kind only', async () => {
    const harness = await createHarness()
    const [worker, anna] = [await recorder(harness), await harness.connect('anna')]
    const ask = (client: RawClient, kind: string) =>
      client.command('job.lease', { worker_id, holding: [] }, { kind: 'operation', id: kind })
    expect(await ask(anna, 'recording')).toMatchObject({ error: { code: 'permission_denied' } })
    expect(await ask(worker, 'transcription')).toMatchObject({ error: { code: 'permission_denied' } })
    expect(await ask(worker, 'cooking')).toMatchObject({ error: { code: 'invalid_argument' } })
    expect(await ask(worker, 'recording')).toMatchObject({ status: 'committed', data: { job: null } })
  })

  it('J10 are announced to workers when they are queued and when a lease has expired', async () => {
    const harness = await createHarness()
    const worker = await recorder(harness)
    await harness.enter('anna')
    await harness.pass(1_000)
    expect(worker.events()).toEqual([]) // it has not asked yet
    expect(await lease(worker)).not.toBeNull()
    await harness.pass(LEASE_MS)
    const available = { name: 'job.available', body: { kind: 'recording' } }
    expect(worker.events()).toMatchObject([available])
    await harness.enter('ben')
    const carl = await harness.connect('carl', 'participant@dddd-eeeee-ffff')
    await carl.join('dddd-eeeee-ffff')
    expect(worker.events()).toMatchObject([available])
  })

  it('J11 record a session of a partner once, however many join at the same time', async () => {
    const harness = await createHarness()
    const clients = await Promise.all(Array.from({ length: 30 }, (_, i) => harness.connect(`person-${i}`)))
    await Promise.all(clients.map(client => client.join()))
    const worker = await recorder(harness)
    const job = await lease(worker)
    expect(job).toMatchObject({
      kind: 'recording',
      scope: 'partner_auto',
      conference_session_id: clients[0]?.sessionId,
      conference_tag: TAG,
      params: { profile: 'consolidated_native' },
      attempt: 1,
      stop: false,
    })
    expect(await lease(worker, [job?.job_id ?? ''])).toBeNull()
    expect(await lease(worker, [], 'rec-2')).toBeNull()
  })

  it('J11 wait for a recorder as long as the session runs', async () => {
    const harness = await createHarness()
    const anna = await harness.enter('anna')
    await harness.pass(20_000)
    const worker = await recorder(harness)
    expect(await lease(worker)).toMatchObject({ conference_session_id: anna.sessionId })
    const ben = await harness.connect('ben')
    await ben.join('dddd-eeeee-ffff')
    await harness.conferences.end('dddd-eeeee-ffff', 'closed')
    await harness.settle()
    expect(await lease(worker, [], 'rec-2')).toBeNull()
  })

  it('J12 mark the session as recorded while the worker reports it', async () => {
    const { harness, worker, anna, job, record, isShown } = await recorded()
    expect(isShown()).toBe(false)
    await record(true)
    await record(true)
    expect(isShown()).toBe(true)
    expect(anna.events()).toMatchObject([{ name: 'recording.changed', body: { active: true } }])
    await harness.pass(LEASE_MS) // the worker is gone
    expect(anna.events()).toMatchObject([{ name: 'recording.changed', body: { active: false } }])
    await lease(worker)
    expect(isShown()).toBe(false) // it does not record yet
    await record(true)
    expect(isShown()).toBe(true)
    await about(worker, 'job.finish', job.job_id, done)
    expect(isShown()).toBe(false)
  })

  it('J12 mark it again after a restart of the server, once the worker has attached', async () => {
    const { harness, worker, job, record, isShown } = await recorded()
    await record(true)
    await harness.restart()
    await harness.pass(3_000)
    expect(isShown()).toBe(false) // the worker may have died, too
    await worker.login()
    await worker.fresh()
    await about(worker, 'job.attach', job.job_id)
    await harness.pass(1_000)
    expect(isShown()).toBe(true)
  })

  it('J21 report their state to every worker and to nobody else', async () => {
    const { harness, worker, anna, job } = await recorded()
    const ask = (client: RawClient, id: string) => client.command('job.state', {}, { kind: 'operation', id })
    const state = async (client: RawClient, id: string) => (await ask(client, id)).data?.state
    const other = await harness.connect('other-recorder')
    Object.assign(harness.authenticator.user('other-recorder'), { capabilities: ['jobs.recorder'] })
    expect(await state(other, job.job_id)).toBe('going_on')
    await harness.pass(LEASE_MS) // the worker is gone, and may return
    expect(await state(other, job.job_id)).toBe('going_on')
    await about(worker, 'job.finish', job.job_id, done)
    expect(await state(other, job.job_id)).toBe('done')
    expect(await state(other, 'job_none')).toBe('unknown')
    const session = { conference_tag: job.conference_tag, conference_session_id: 1 }
    const removed = { started_at_ms: 0, ended_at_ms: 0, blob_ids: '[]', removed_at: 1, completed_at: 1 }
    await harness.db
      .insertInto('recording_removals')
      .values({ job_id: job.job_id, ...session, ...removed })
      .execute()
    expect(await state(other, job.job_id)).toBe('deleted')
    expect(await ask(anna, job.job_id)).toMatchObject({ error: { code: 'permission_denied' } })
  })

  it('J25 tell their holder the partner’s own ids of people', async () => {
    const { harness, worker, job } = await recorded()
    const { id } = harness.authenticator.user('anna')
    harness.directory.externalIds.set(
      TAG,
      new Map([
        [id, 'teacher-1'],
        [999, 'somebody else'],
      ]),
    )
    const asked = await about(worker, 'job.people', job.job_id, { user_ids: [String(id), '77', '1.5', 'x'] })
    expect(asked.data).toEqual({ people: [{ user_id: String(id), external_id: 'teacher-1' }] })
  })

  it('J13 record ordinary conferences from the start to the stop by a moderator', async () => {
    const harness = await createHarness()
    harness.directory.known.set(TAG, { tag: TAG, title: '', kind: 'ordinary', ownerId: null, entry: 'open' })
    const [worker, anna] = [await recorder(harness), await harness.enter('anna', 'moderator')]
    expect(await lease(worker)).toBeNull()
    expect((await anna.command('recording.start', {})).status).toBe('committed')
    expect((await anna.command('recording.start', {})).status).toBe('committed')
    const job = await lease(worker)
    expect(job).toMatchObject({ scope: 'manual', conference_session_id: anna.sessionId })
    worker.events()
    await anna.command('recording.stop', {})
    expect(worker.events()).toMatchObject([{ name: 'job.stopping', body: { job_id: job?.job_id } }])
    await anna.command('recording.start', {}) // while the first is still being finished
    expect(await lease(worker, [job?.job_id ?? ''])).toMatchObject({ scope: 'manual', attempt: 1 })
  })

  it('J13 cannot be started in the room of a partner', async () => {
    const { anna } = await recorded()
    expect(await anna.command('recording.stop', {})).toMatchObject({
      status: 'rejected',
      error: { code: 'permission_denied', extensions: { reason: 'records_itself' } },
    })
  })
})
