import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMainStore } from '../../../platform/db/open.ts'
import { refused } from '../../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import type { Segment } from '../../ports.ts'
import { transcriptStore } from '../../stores/transcripts.ts'
import { openTestArchive, type TestArchive } from '../../testing/archive.ts'

const BASE = '/api/v1.0/me/recordings'
const VIDEO = 'the bytes of a video'

let server: TestServer
let archive: TestArchive
let main: Awaited<ReturnType<typeof openMainStore>>
let anna: string
let ben: string
beforeAll(async () => {
  server = await startTestServer({ Server: { LogLevel: 'trace' } })
  archive = await openTestArchive(server)
  main = await openMainStore(server.config.Db.Url)
  anna = await signIn('anna')
  ben = await signIn('ben')
})
afterAll(async () => {
  await main.close()
  await archive.close()
  await server.close()
})

async function signIn(login: string) {
  await server.addUser(login, { password: 'correct horse' })
  return (await logIn(login)).access_token as string
}
const logIn = async (login: string) =>
  (await server.call('POST', '/api/v1.0/auth/login', { body: { login, password: 'correct horse' } })).body

const addConference = async (token: string, title: string) =>
  (await server.call('POST', '/api/v1.0/conferences', { token, body: { title } })).body.tag as string

let jobs = 0
/** A recorded conference with a video and a report. */
async function record(tag: string, changes: Parameters<TestArchive['addRecording']>[2] = {}) {
  const id = `job_${++jobs}`
  const video = await archive.addBlob(tag, VIDEO, {
    name: 'recording.mp4',
    contentType: 'video/mp4',
    jobId: id,
  })
  const report = await archive.addBlob(tag, '{}', { name: 'report.json', contentType: 'a/b', jobId: id })
  await archive.addRecording(tag, id, { blobIds: [video.id, report.id], ...changes })
  return { id, video: video.id, report: report.id }
}

const get = (path: string, token?: string, headers?: Record<string, string>) =>
  server.call('GET', path, { ...(token !== undefined && { token }), ...(headers && { headers }) })
const ids = async (token: string, query = '') =>
  (await get(BASE + query, token)).body.recordings.map(
    ({ recording_id }: { recording_id: string }) => recording_id,
  )
const linkTo = async (recording: { id: string; video: string }, token = anna) =>
  (await server.call('POST', `${BASE}/${recording.id}/files/${recording.video}/link`, { token })).body
    .url as string

describe('GET /me/recordings', () => {
  it('lists the recordings of conferences that the user created, also removed ones (PLAY-4)', async () => {
    const [standup, review] = [await addConference(anna, 'Standup'), await addConference(anna, 'Review')]
    const [first, second] = [await record(standup), await record(review)]
    await record(await addConference(ben, 'Private'))
    await server.call('DELETE', `/api/v1.0/conferences/${standup}`, { token: anna })
    const { status, body } = await get(BASE, anna)
    expect(status).toBe(200)
    expect(body).toEqual({
      result: 200,
      recordings: [
        expect.objectContaining({ recording_id: second.id, title: 'Review' }),
        {
          recording_id: first.id,
          tag: standup,
          title: 'Standup',
          status: 'completed',
          profile: 'consolidated_native',
          started_at_ms: 1_700_000_000_123,
          duration_ms: 20_333,
          size: VIDEO.length + 2,
          transcript: 'none',
          poster_blob_id: null,
        },
      ],
      next: null,
      unfinished: [],
    })
  })

  it('pages with next, and refuses a limit that is too large', async () => {
    const carl = await signIn('carl')
    const tag = await addConference(carl, 'Series')
    const all: string[] = []
    for (let i = 0; i < 5; i++) all.unshift((await record(tag)).id)
    const first = (await get(`${BASE}?limit=2`, carl)).body
    const second = (await get(`${BASE}?limit=2&before=${first.next}`, carl)).body
    const third = (await get(`${BASE}?limit=2&before=${second.next}`, carl)).body
    const shown = [first, second, third].flatMap(({ recordings }) => recordings)
    expect(shown.map(({ recording_id }) => recording_id)).toEqual(all)
    expect(third.next).toBeNull()
    for (const query of ['?limit=0', '?limit=101', '?before=0', '?before=x'])
      expect(await get(BASE + query, carl), query).toEqual(refused(400, 'invalid_argument'))
  })

  it('is empty for guests and needs a token of a user', async () => {
    const guest = (await server.call('POST', '/api/v1.0/auth/guest', { body: {} })).body.access_token
    expect(await ids(guest)).toEqual([])
    const school = await server.addPartner('school', { scopes: ['integration:rooms', 'blob'] })
    for (const token of [undefined, 'rubbish', school.token])
      expect(await get(BASE, token)).toEqual(refused(401, 'unauthenticated'))
  })
})

describe('one recording', () => {
  it('has its files, and is hidden from everybody else', async () => {
    const own = await record(await addConference(anna, 'One'))
    const { body } = await get(`${BASE}/${own.id}`, anna)
    expect(body).toMatchObject({ result: 200, recording_id: own.id, video_blob_id: own.video })
    expect(body.files).toEqual([
      { blob_id: own.video, path: 'recording.mp4', content_type: 'video/mp4', size: VIDEO.length },
      { blob_id: own.report, path: 'report.json', content_type: 'a/b', size: 2 },
    ])
    for (const path of [`/${own.id}`, `/${own.id}/transcript`, `/${own.id}/transcript.vtt`, '/nothing'])
      expect(await get(BASE + path, ben)).toEqual(refused(404, 'recording_not_found'))
    for (const [method, path] of [
      ['DELETE', `/${own.id}`],
      ['POST', `/${own.id}/files/${own.video}/link`],
      ['GET', `/${own.id}/files/${own.video}`],
    ] as const)
      expect(await server.call(method, BASE + path, { token: ben })).toEqual(
        refused(404, 'recording_not_found'),
      )
  })

  it('has a transcript with estimated positions, in order, within the recording', async () => {
    const tag = await addConference(anna, 'Talk')
    const own = await record(tag, { startedAtMs: 100_000, endedAtMs: 160_000, durationMs: 60_000 })
    const segment = (at: number, device_id: number, text: string): Segment => ({
      ...{ seq: 1, at, text, partial: false },
      speaker: { client_id: 1, device_id, name: device_id === 1 ? 'Anna' : 'Бен' },
    })
    await transcriptStore(main.db).add({
      jobId: 'transcript',
      conferenceTag: tag,
      conferenceSessionId: 3,
      status: 'completed',
      language: 'en-US',
      engine: 'vosk',
      startedAtMs: 90_000,
      endedAtMs: 170_000,
      reason: 'session_ended',
      text: '',
      segments: [
        segment(95_000, 1, 'too early'),
        segment(101_000, 1, 'a beginning that is longer than the time since the start'),
        segment(110_700, 2, '0123456789'),
        segment(110_800, 1, '0123456789'),
        segment(230_000, 1, 'too late'),
      ],
      indexedAt: 1,
    })
    expect((await get(`${BASE}/${own.id}`, anna)).body.transcript).toBe('ready')
    expect((await get(`${BASE}/${own.id}/transcript`, anna)).body).toEqual({
      result: 200,
      language: 'en-US',
      is_truncated: false,
      next: null,
      phrases: [
        {
          from_ms: 0,
          to_ms: 300,
          speaker: 'Anna',
          text: 'a beginning that is longer than the time since the start',
        },
        { from_ms: 9_350, to_ms: 10_000, speaker: 'Бен', text: '0123456789' },
        { from_ms: 9_450, to_ms: 10_100, speaker: 'Anna', text: '0123456789' },
      ],
    })
    const captions = await get(`${BASE}/${own.id}/transcript.vtt`, anna)
    expect(captions.headers).toMatchObject({
      'content-type': 'text/vtt; charset=utf-8',
      'content-disposition': 'attachment; filename="transcript.vtt"',
    })
    expect(captions.body).toMatch(/^WEBVTT\n\n00:00:00\.000 --> 00:00:00\.500\n<v Anna>a beginning/)
    expect(captions.body).toContain('00:00:09.350 --> 00:00:10.000\n<v Бен>0123456789\n')
    const silent = await record(tag, { conferenceSessionId: 4 })
    expect((await get(`${BASE}/${silent.id}/transcript.vtt`, anna)).body).toBe('WEBVTT\n')
    expect((await get(`${BASE}/${silent.id}/transcript`, anna)).body).toMatchObject({
      language: 'und',
      phrases: [],
    })
  })

  it('has its transcript in pages, whatever the number of phrases', async () => {
    const tag = await addConference(anna, 'Marathon')
    const own = await record(tag, { startedAtMs: 0, endedAtMs: 50_000_000, durationMs: 50_000_000 })
    const segments = Array.from(
      { length: 45_000 },
      (_, index): Segment => ({
        ...{ seq: index + 1, at: 1_000 * (index + 1), text: `phrase ${index}`, partial: false },
        speaker: { client_id: 1, device_id: 1, name: 'Anna' },
      }),
    )
    await transcriptStore(main.db).add({
      ...{
        jobId: 'marathon',
        conferenceTag: tag,
        conferenceSessionId: 3,
        status: 'completed',
        language: 'en',
      },
      ...{ engine: 'vosk', startedAtMs: 0, endedAtMs: 50_000_000, reason: 'session_ended', text: '' },
      ...{ segments, indexedAt: 1 },
    })
    const texts: string[] = []
    const pages: number[] = []
    for (let from: number | null = 0; from !== null; ) {
      const { body } = await get(`${BASE}/${own.id}/transcript?from=${from}`, anna)
      expect(body.is_truncated).toBe(body.next !== null)
      pages.push(body.phrases.length)
      texts.push(...body.phrases.map(({ text }: { text: string }) => text))
      from = body.next
    }
    expect(pages).toEqual([20_000, 20_000, 5_000])
    expect(texts).toEqual(segments.map(({ text }) => text))
    const beyond = await get(`${BASE}/${own.id}/transcript?from=100000`, anna)
    expect(beyond.body).toMatchObject({ phrases: [], is_truncated: false, next: null })
    for (const from of ['-1', 'x', '1e3', '1000000000'])
      expect(await get(`${BASE}/${own.id}/transcript?from=${from}`, anna)).toEqual(
        refused(400, 'invalid_argument'),
      )
    const captions = (await get(`${BASE}/${own.id}/transcript.vtt`, anna)).body as string
    expect(captions.match(/ --> /g)).toHaveLength(45_000)
  })
})

describe('a link to a file', () => {
  it('plays without a header, with ranges, and never reaches the log (PLAY-1, PLAY-2)', async () => {
    const own = await record(await addConference(anna, 'Video'))
    const url = await linkTo(own)
    expect((await get(url)).body).toBe(VIDEO)
    const { status, headers, body } = await get(url, undefined, { range: 'bytes=4-8' })
    expect([status, headers['content-range'], body]).toEqual([206, `bytes 4-8/${VIDEO.length}`, 'bytes'])
    expect(headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-disposition': 'attachment; filename="recording.mp4"',
      'referrer-policy': 'no-referrer',
    })
    expect((await server.call('HEAD', url)).headers['content-length']).toBe(String(VIDEO.length))
    const link = url.slice(url.indexOf('=') + 1)
    expect(server.log()).toContain('/me/recordings/:recording_id/files/:blob_id')
    expect(server.log()).not.toContain(link)
    expect(server.log()).not.toContain(link.slice(-24))
  })

  it('opens this file of this recording only, and nothing else of the account (PLAY-2)', async () => {
    const [one, two] = [
      await record(await addConference(anna, 'One')),
      await record(await addConference(anna, 'Two')),
    ]
    const query = (await linkTo(one)).split('?')[1]
    for (const path of [
      `${BASE}/${one.id}/files/${one.report}`,
      `${BASE}/${two.id}/files/${two.video}`,
      `${BASE}/${one.id}`,
      BASE,
      '/api/v1.0/me',
      `/api/storage/blobs/${one.video}`,
    ])
      expect(await get(`${path}?${query}`), path).toEqual(refused(401, 'unauthenticated'))
    expect(await get(`${BASE}/${two.id}/files/${one.video}?${query}`)).toEqual(refused(404, 'blob_not_found'))
    const link = String(query).slice(5)
    expect(await get('/api/v1.0/me', link)).toEqual(refused(401, 'unauthenticated'))
    expect(await get(`/api/storage/blobs/${one.video}?t=${link}`)).toEqual(refused(401, 'unauthenticated'))
    for (const forged of [`link=${link}x`, 'link=', `link=${link}&link=${link}`, `link=${anna}`])
      expect(await get(`${BASE}/${one.id}/files/${one.video}?${forged}`), forged).toEqual(
        refused(401, 'unauthenticated'),
      )
  })

  it('ends after ten minutes (PLAY-1, PLAY-3)', async () => {
    const own = await record(await addConference(anna, 'Later'))
    const path = `${BASE}/${own.id}/files/${own.video}/link`
    const { url, expires_in } = (await server.call('POST', path, { token: anna })).body
    expect(expires_in).toBe(600)
    try {
      server.advance(540_000)
      expect((await get(url)).status).toBe(200)
      server.advance(60_000)
      expect(await get(url)).toEqual(refused(401, 'token_expired'))
    } finally {
      server.advance(-600_000)
    }
  })

  it('ends with the sign-in and with the recording (PLAY-3)', async () => {
    const own = await record(await addConference(anna, 'Ends'))
    const { access_token, refresh_token } = await logIn('anna')
    const [url, kept] = [await linkTo(own, access_token), await linkTo(own)]
    expect((await get(url)).status).toBe(200)
    await server.call('POST', '/api/v1.0/auth/logout', { body: { refresh_token } })
    expect(await get(url)).toEqual(refused(401, 'session_ended'))
    await server.call('DELETE', `${BASE}/${own.id}`, { token: anna })
    expect(await get(kept)).toEqual(refused(404, 'recording_not_found'))
  })
})

describe('DELETE /me/recordings/{id}', () => {
  it('removes the record everywhere, with its files, and may be repeated (PLAY-5)', async () => {
    const archivist = await signIn('archivist')
    await server.operator.users.set('archivist', { capabilities: ['recordings.access'] })
    const own = await record(await addConference(anna, 'Gone'))
    const inArchive = async () =>
      (await get('/api/v1.0/recordings', archivist)).body.recordings.some(
        ({ id }: { id: string }) => id === own.id,
      )
    expect(await inArchive()).toBe(true)
    for (const _ of ['first', 'again'])
      expect((await server.call('DELETE', `${BASE}/${own.id}`, { token: anna })).body).toEqual({
        result: 200,
      })
    expect(await inArchive()).toBe(false)
    expect(await ids(anna)).not.toContain(own.id)
    expect(await get(`/api/storage/blobs/${own.video}`, anna)).toEqual(refused(404, 'blob_not_found'))
    expect([await archive.blobs.find(own.video), await archive.blobs.find(own.report)]).toEqual([null, null])
    // The recorder repeats its result: the job can end, and nothing returns.
    expect(await archive.addRecording('x', own.id, { blobIds: [own.video] })).toBe(false)
    expect(await server.call('DELETE', `${BASE}/${own.id}`, { token: ben })).toEqual(
      refused(404, 'recording_not_found'),
    )
  })

  it('removes a record whose file is gone already', async () => {
    const own = await record(await addConference(anna, 'Lost'))
    rmSync(join(server.config.Storage.Url, own.video.slice(2, 4), own.video))
    expect((await server.call('DELETE', `${BASE}/${own.id}`, { token: anna })).status).toBe(200)
  })
})
