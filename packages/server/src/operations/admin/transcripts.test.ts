import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMainStore } from '../../platform/db/open.ts'
import { transcriptStore } from '../../records/stores/transcripts.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let boss: string
let anna: string
beforeAll(async () => {
  server = await startTestServer()
  const signIn = async (login: string, capabilities: 'admin'[]) => {
    const { password } = await server.addUser(login, { capabilities })
    return (await server.call('POST', '/api/v1.0/auth/login', { body: { login, password } })).body
      .access_token
  }
  boss = await signIn('boss', ['admin'])
  anna = await signIn('anna', [])
  const main = await openMainStore(server.config.Db.Url)
  for (let i = 1; i <= 3; i++)
    await transcriptStore(main.db).add({
      jobId: `job_${i}`,
      conferenceTag: i === 3 ? 'other' : 'room',
      conferenceSessionId: 7,
      status: 'completed',
      language: 'en',
      engine: 'vosk',
      startedAtMs: 1000,
      endedAtMs: 3000,
      reason: 'stopped',
      text: `Run ${i}`,
      segments: [],
      indexedAt: 4,
    })
  await main.close()
})
afterAll(() => server.close())

const BASE = '/api/v1.0/admin'
const get = (path: string, token = boss) => server.call('GET', BASE + path, { token })
const transcribe = (tag: string, body: unknown, token = boss) =>
  server.call('POST', `${BASE}/conferences/${tag}/transcription`, { token, body })

describe('GET /admin/transcripts', () => {
  it('lists transcripts of all conferences or of one, newest first', async () => {
    const ids = async (query: string) =>
      (await get(`/transcripts${query}`)).body.transcripts.map(({ job_id }: { job_id: string }) => job_id)
    expect(await ids('')).toEqual(['job_3', 'job_2', 'job_1'])
    expect(await ids('?conference=room')).toEqual(['job_2', 'job_1'])
    expect(await ids('?conference=none')).toEqual([])
    const { next, transcripts } = (await get('/transcripts?limit=2')).body
    expect(transcripts).toHaveLength(2)
    expect(await ids(`?limit=2&before=${next}`)).toEqual(['job_1'])
    expect((await get('/transcripts')).body.next).toBeNull()
  })

  it('returns a transcript with its text and segments', async () => {
    expect((await get('/transcripts/job_2')).body).toEqual({
      result: 200,
      id: 'job_2',
      job_id: 'job_2',
      conference_tag: 'room',
      conference_title: null,
      external_id: null,
      conference_session_id: 7,
      status: 'completed',
      language: 'en',
      engine: 'vosk',
      started_at_ms: 1000,
      ended_at_ms: 3000,
      reason: 'stopped',
      created_at: 4,
      text: 'Run 2',
      segments: [],
    })
    expect(await get('/transcripts/none')).toEqual(refused(404, 'transcript_not_found'))
  })
})

describe('the administration API', () => {
  it('refuses callers without the capability admin', async () => {
    const school = await server.addPartner('school')
    const ask = (token: string) => [
      get('/transcripts', token),
      get('/transcripts/job_1', token),
      transcribe('room', { action: 'start' }, token),
    ]
    expect(await Promise.all(ask(anna))).toEqual(Array(3).fill(refused(403, 'permission_denied')))
    for (const token of [school.token, 'x'])
      expect(await Promise.all(ask(token))).toEqual(Array(3).fill(refused(401, 'unauthenticated')))
  })

  it('accepts tokens of the command line, which expire after a minute', async () => {
    const token = await server.operator.adminToken()
    expect((await get('/transcripts', token)).status).toBe(200)
    expect((await server.call('GET', '/api/v1.0/me', { token })).status).toBe(401)
  })

  it('starts a transcription in a live conference only (rule RECORD-3)', async () => {
    for (const action of ['start', 'stop'])
      expect(await transcribe('room', { action })).toEqual(refused(404, 'conference_not_found'))
    expect(await transcribe('room', { action: 'rest' })).toEqual(refused(400, 'invalid_argument'))
    expect(await transcribe('room', { action: 'start', language: 'x!' })).toEqual(
      refused(400, 'invalid_argument'),
    )
  })
})
