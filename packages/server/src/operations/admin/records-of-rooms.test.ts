import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMainStore } from '../../platform/db/open.ts'
import { jobStore } from '../../records/stores/jobs.ts'
import { recordingStore } from '../../records/stores/recordings.ts'
import { transcriptStore } from '../../records/stores/transcripts.ts'
import type { Partner } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let boss: string
/** Tags of the rooms with these external ids, and of an ordinary conference. */
const tags = { algebra: '', biology: '', round: '' }
let jobId: string
let school: Partner
beforeAll(async () => {
  server = await startTestServer()
  const { password } = await server.addUser('boss', { capabilities: ['admin'] })
  const signedIn = await server.call('POST', '/api/v1.0/auth/login', { body: { login: 'boss', password } })
  boss = signedIn.body.access_token
  school = await server.addPartner('school')
  for (const name of ['algebra', 'biology'] as const)
    tags[name] = (await school.room(name, { title: `Lesson: ${name}` })).tag
  const body = { title: 'Monday round' }
  tags.round = (await server.call('POST', '/api/v1.0/conferences', { token: boss, body })).body.tag
  const main = await openMainStore(server.config.Db.Url)
  for (const [i, conferenceTag] of Object.values(tags).entries()) {
    const run = { conferenceTag, conferenceSessionId: i, startedAtMs: 1, endedAtMs: 2, indexedAt: 1 }
    const record = { ...run, jobId: `job_${i}`, status: 'completed' }
    await recordingStore(main.db).add({
      ...{ ...record, ownerId: null, profile: 'p', durationMs: 1, outputDir: '', files: [], artifact: {} },
    })
    await transcriptStore(main.db).add({
      ...{ ...record, language: 'en', engine: 'vosk', reason: 'stopped', text: '', segments: [] },
    })
    const job = { kind: 'recording', scope: 'manual', params: {}, ...run } as const
    jobId = (await jobStore(main.db).add(job, i)).id
  }
  await main.close()
})
afterAll(() => server.close())

const get = (path: string) => server.call('GET', `/api/v1.0/admin${path}`, { token: boss })
const LISTS = [['recordings'], ['transcripts'], ['jobs']] as const
const titles = async (list: string, query: string) =>
  (await get(`/${list}?${query}`)).body[list].map(
    (each: { conference_title: string }) => each.conference_title,
  )

describe('the records of rooms', () => {
  it.each(LISTS)('are named by title and external id, and found by them: %s', async list => {
    expect(await titles(list, '')).toEqual(['Monday round', 'Lesson: biology', 'Lesson: algebra'])
    expect((await get(`/${list}`)).body[list][1]).toMatchObject({ external_id: 'biology' })
    expect((await get(`/${list}`)).body[list][0]).toMatchObject({ external_id: null })
    expect(await titles(list, 'search=LESSON')).toEqual(['Lesson: biology', 'Lesson: algebra'])
    expect(await titles(list, 'search=biology')).toEqual(['Lesson: biology'])
    expect(await titles(list, `search=${tags.round}`)).toEqual(['Monday round'])
    expect(await titles(list, 'search=monday')).toEqual(['Monday round'])
    expect(await titles(list, 'search=nothing')).toEqual([])
    expect(await titles(list, `conference=${tags.algebra}`)).toEqual(['Lesson: algebra'])
  })

  it.each(LISTS)('have pages, also when they are found by a text: %s', async list => {
    const { body } = await get(`/${list}?search=lesson&limit=1`)
    expect(body[list]).toMatchObject([{ external_id: 'biology' }])
    expect(await titles(list, `search=lesson&limit=1&before=${body.next}`)).toEqual(['Lesson: algebra'])
  })

  it.each(LISTS)('are found although many newer rooms match: %s', async list => {
    for (let i = 0; i < 25; i++) await school.room(`later-${i}`, { title: `Lesson in spring ${i}` })
    expect(await titles(list, 'search=lesson')).toEqual(['Lesson: biology', 'Lesson: algebra'])
  })

  it('are read one by one', async () => {
    expect((await get(`/rooms/${tags.algebra}`)).body).toMatchObject({ external_id: 'algebra', live: false })
    expect((await get('/recordings/job_0')).body).toMatchObject({ external_id: 'algebra', file_count: 0 })
    expect((await get(`/jobs/${jobId}`)).body).toMatchObject({ conference_title: 'Monday round' })
    expect((await get('/transcripts/job_1')).body).toMatchObject({ external_id: 'biology' })
    expect(await get('/rooms/none')).toEqual(refused(404, 'room_not_found'))
    expect(await get('/recordings/none')).toEqual(refused(404, 'recording_not_found'))
    expect(await get('/jobs/none')).toEqual(refused(404, 'job_not_found'))
  })
})

describe('a new service account', () => {
  const add = (body: object) =>
    server.call('POST', '/api/v1.0/admin/service-accounts', {
      token: boss,
      body: { scopes: ['integration:rooms'], ...body },
    })

  it('creates its technical user on request, and none when its own name is taken', async () => {
    const college = { name: 'college', login: 'college-robot', create_user: true }
    expect((await add(college)).body).toMatchObject({ login: 'college-robot' })
    const users = async () => (await get('/users?search=-robot&kind=technical')).body.users
    const count = (await users()).length
    expect(await users()).toEqual(
      expect.arrayContaining([expect.objectContaining({ login: 'college-robot', capabilities: [] })]),
    )
    expect(await add({ ...college, login: 'other-robot' })).toEqual(refused(409, 'service_account_exists'))
    expect(await users()).toHaveLength(count)
    expect(await add({ ...college, name: 'clinic' })).toEqual(refused(409, 'login_taken'))
    expect(await add({ name: 'clinic', login: 'college-robot' })).toMatchObject({
      body: { name: 'clinic' },
    })
  })
})
