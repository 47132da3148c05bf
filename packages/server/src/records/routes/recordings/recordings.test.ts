import { RECORDINGS_MAX, RecordingsResponse } from '@lectern/protocol'
import { Ajv } from 'ajv'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Partner } from '../../../testing/partner.ts'
import { refused } from '../../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import { openTestArchive, type TestArchive } from '../../testing/archive.ts'
import { sha256 } from '../../testing/uploads.ts'

let server: TestServer
let testArchive: TestArchive
let school: Partner
beforeAll(async () => {
  server = await startTestServer()
  testArchive = await openTestArchive(server)
  school = await partner('school')
})
afterAll(async () => {
  await testArchive.close()
  await server.close()
})

/** With the capability of a partner that polls the archive. */
async function partner(name: string) {
  await server.addUser(`${name}-user`, { kind: 'technical', capabilities: ['recordings.access'] })
  return server.addPartner(name, { user: `${name}-user`, scopes: ['integration:rooms', 'blob'] })
}

const signIn = async (login: string, settings: Parameters<TestServer['addUser']>[1] = {}) => {
  await server.addUser(login, { password: 'correct horse', ...settings })
  const body = { login, password: 'correct horse' }
  return (await server.call('POST', '/api/v1.0/auth/login', { body })).body.access_token as string
}

const list = (token?: string, query = '') =>
  server.call('GET', `/api/v1.0/recordings${query}`, token === undefined ? {} : { token })
const jobIds = async (token: string) =>
  (await list(token)).body.recordings.map((each: { job_id: string }) => each.job_id)

describe('GET /recordings', () => {
  it('requires a token', async () => {
    for (const token of [undefined, 'rubbish'])
      expect(await list(token)).toEqual(refused(401, 'unauthenticated'))
    expect(await list(undefined, `?t=${school.token}`)).toEqual(refused(401, 'unauthenticated'))
  })

  it('requires the capability recordings.access of the user or the technical user (ARCHIVE-1)', async () => {
    const plain = await server.addPartner('plain', { scopes: ['integration:rooms', 'blob'] })
    const anna = await signIn('anna', { capabilities: ['admin'] })
    for (const token of [plain.token, anna])
      expect(await list(token)).toEqual(refused(403, 'permission_denied'))
    await server.operator.users.set('plain-robot', { capabilities: ['recordings.access'] })
    expect((await list(plain.token)).status).toBe(200)
  })

  it('is empty without recordings', async () => {
    const fresh = await partner('fresh')
    expect((await list(fresh.token)).body).toEqual({ ok: true, recordings: [] })
  })

  it('contains every documented field', async () => {
    const { tag } = await school.room('lesson')
    const names = ['recording.mkv', 'report.json', 'report.jsonl', 'events.jsonl'] as const
    const ids: Record<string, string> = {}
    for (const name of names)
      ids[name] = (await testArchive.addBlob(tag, name, { name, contentType: 'a/b' })).id
    await testArchive.addRecording(tag, 'job-1', { blobIds: Object.values(ids) })
    const { status, body } = await list(school.token)
    expect(status).toBe(200)
    expect(body.recordings[0]).toEqual({
      id: 'job-1',
      job_id: 'job-1',
      conference_tag: tag,
      conference_session_id: 3,
      profile: 'consolidated_native',
      status: 'completed',
      started_at_ms: 1_700_000_000_123,
      ended_at_ms: 1_700_000_020_456,
      duration_ms: 20_333,
      output_dir: '1', // not where it is on the worker
      report_blob_id: ids['report.json'],
      report_url: `/api/storage/blobs/${ids['report.json']}`,
      report_jsonl_blob_id: ids['report.jsonl'],
      report_jsonl_url: `/api/storage/blobs/${ids['report.jsonl']}`,
      manifest_blob_id: '',
      manifest_url: '',
      events_blob_id: ids['events.jsonl'],
      events_url: `/api/storage/blobs/${ids['events.jsonl']}`,
      files: names.map(name => ({
        path: name,
        blob_id: ids[name],
        url: `/api/storage/blobs/${ids[name]}`,
        size: name.length,
        content_type: 'a/b',
        sha256: sha256(Buffer.from(name)),
        scope: `recording:${tag}`,
      })),
      created_at: expect.any(Number),
      updated_at: body.recordings[0].created_at,
      artifact: { tracks: 3 },
    })
    const isValid = new Ajv().compile(RecordingsResponse)
    expect(isValid(body), JSON.stringify(isValid.errors)).toBe(true)
    expect((await server.call('GET', body.recordings[0].report_url, { token: school.token })).status).toBe(
      200,
    )
  })

  it('lists the newest first, with stable ids, whatever the query', async () => {
    const lab = await partner('lab')
    const { tag } = await lab.room('a')
    for (const jobId of ['first', 'second', 'third']) await testArchive.addRecording(tag, jobId)
    await testArchive.addRecording(tag, 'second', { status: 'again' })
    for (const query of ['', '?limit=1', '?status=stopped&page=2', '?t=x'])
      expect(
        (await list(lab.token, query)).body.recordings.map(({ id }: { id: string }) => id),
        query,
      ).toEqual(['third', 'second', 'first'])
  })

  it('lists the rooms of a service account, and all rooms for a user with the capability (ARCHIVE-2)', async () => {
    const [one, two] = [await partner('one'), await partner('two')]
    await testArchive.addRecording((await one.room('a')).tag, 'of-one')
    await testArchive.addRecording((await two.room('a')).tag, 'of-two')
    await testArchive.addRecording('no-partners-tag', 'of-nobody')
    expect(await jobIds(one.token)).toEqual(['of-one'])
    expect(await jobIds(two.token)).toEqual(['of-two'])
    const archivist = await signIn('archivist', { capabilities: ['recordings.access'] })
    expect(await jobIds(archivist)).toEqual(expect.arrayContaining(['of-nobody', 'of-two', 'of-one']))
  })

  it('lists at most 500, counted after the filter by owner', async () => {
    const busy = await partner('busy')
    const { tag } = await busy.room('a')
    for (let i = 0; i <= RECORDINGS_MAX; i++) await testArchive.addRecording(tag, `busy-${i}`)
    for (let i = 0; i < 3; i++) await testArchive.addRecording('no-partners-tag', `newer-${i}`)
    const shown = await jobIds(busy.token)
    expect(shown).toHaveLength(RECORDINGS_MAX)
    expect([shown[0], shown.at(-1)]).toEqual([`busy-${RECORDINGS_MAX}`, 'busy-1'])
  })

  it('reports in a 200 that the index cannot be read, without the cause (ARCHIVE-3)', async () => {
    const db = new Database(server.config.Db.Url)
    db.exec('ALTER TABLE recordings RENAME TO recordings_away')
    const answer = await list(school.token)
    db.exec('ALTER TABLE recordings_away RENAME TO recordings')
    db.close()
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      ok: false,
      error: 'The archive cannot be read right now.',
      recordings: [],
    })
    expect((await list(school.token)).body.ok).toBe(true)
  })
})

describe('a record', () => {
  it('is not committed before all its files are stored', async () => {
    const { tag } = await school.room('unfinished')
    const blobIds = [`b_${'0'.repeat(32)}`]
    await expect(testArchive.addRecording(tag, 'unfinished', { blobIds })).rejects.toMatchObject({
      code: 'blob_not_found',
    })
    expect(await testArchive.store.find('unfinished')).toBeNull()
  })

  it('accepts no file of another conference', async () => {
    const [mine, other] = [await school.room('mine'), await school.room('other')]
    const blobIds = [(await testArchive.addBlob(other.tag, 'x')).id]
    await expect(testArchive.addRecording(mine.tag, 'mixed', { blobIds })).rejects.toMatchObject({
      code: 'invalid_argument',
    })
  })

  it('is committed once', async () => {
    const { tag } = await school.room('once')
    expect(await testArchive.addRecording(tag, 'once')).toBe(true)
    expect(await testArchive.addRecording(tag, 'once')).toBe(false)
  })
})
