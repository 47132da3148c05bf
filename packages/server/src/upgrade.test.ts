import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { PartnerClient, verifyWebhook, type WebhookEvent } from '@lectern/partner'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { messageStore } from './messaging/stores/messages.ts'
import { mainMigrations } from './platform/db/migrations/main.ts'
import { openMainStore } from './platform/db/open.ts'
import { enterLink, resolveLink } from './testing/partner.ts'
import { refused } from './testing/refused.ts'
import { startTestServer, type TestServer } from './testing/server.ts'
import { facts, writeStore } from './testing/store-0.1.0/write.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 }) // many processes or files on a busy machine

const HOUR_MS = 3_600_000

describe('a store of version 0.1.0', () => {
  const received: WebhookEvent[] = []
  const receiver = createServer(async (request, response) => {
    const rawBody = await buffer(request)
    received.push(verifyWebhook({ rawBody, headers: request.headers, secret: facts.webhook_secret }))
    response.writeHead(204).end()
  })
  let folder: string
  let server: TestServer
  let partner: PartnerClient
  beforeAll(async () => {
    // Tokens of the earlier version end after days: an hour later they do not, whenever this test runs.
    vi.useFakeTimers({
      toFake: ['Date'],
      shouldAdvanceTime: true,
      now: Date.parse(facts.written_at) + HOUR_MS,
    })
    folder = mkdtempSync(join(tmpdir(), 'lectern-upgrade-'))
    writeStore(join(folder, 'data'))
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    server = await startTestServer(
      {
        Server: { JwtSecret: facts.jwt_secret },
        Integration: { PublicUrl: new URL(facts.room.join_url).origin, AllowInsecureWebhooks: '1' },
        Db: { Url: join(folder, 'data/lectern.db'), IntegrationDb: join(folder, 'data/integration.db') },
      },
      folder,
    )
    const { service_account: serviceAccount, client_secret: clientSecret } = facts
    partner = new PartnerClient({ baseUrl: server.url, serviceAccount, clientSecret })
  })
  afterAll(async () => {
    vi.useRealTimers()
    await server?.close()
    receiver.close()
  })

  const query = (store: string, text: string): unknown[] => {
    const database = new Database(join(folder, 'data', `${store}.db`), { readonly: true })
    const rows = database.prepare(text).pluck().all()
    database.close()
    return rows
  }

  it('is migrated, with everything in it', () => {
    expect(query('lectern', 'PRAGMA user_version')).toEqual([mainMigrations.length])
    const counts = { users: 7, conference_sessions: 3, blobs: 3, recordings: 2, jobs: 3, transcripts: 1 }
    for (const [table, count] of Object.entries(counts))
      expect(query('lectern', `SELECT count(*) FROM ${table}`), table).toEqual([count])
    expect(query('integration', 'SELECT count(*) FROM rooms')).toEqual([4])
  })

  it('serves its rooms to the partner, with the same links, to tokens of that time and to new ones', async () => {
    for (const room of [facts.room, facts.open_room, facts.second_room])
      expect(await partner.getRoom(room.external_id)).toMatchObject(room)
    const path = '/api/v1/integration/rooms/lesson-42'
    const answer = await server.call('GET', path, { token: facts.partner_token })
    expect(answer).toMatchObject({ status: 200, body: facts.room })
    expect(await partner.updateRoom('lesson-44', { title: 'Changed' })).toMatchObject({
      title: 'Changed',
      teacher_join_url: facts.open_room.teacher_join_url,
    })
    expect(await partner.createRoom('lesson-46')).toMatchObject({ created: true })
  })

  it('opens its links for the same person as before', async () => {
    for (const room of [facts.room, facts.open_room])
      for (const link of [room.teacher_join_url, room.student_join_url])
        expect(await resolveLink(server.call, link), link).toMatchObject({ status: 200 })
    const [userId] = query(
      'integration',
      "SELECT client_id FROM participants WHERE external_id = 'teacher-7'",
    )
    const entered = await enterLink(server.call, facts.room.teacher_join_url, {})
    expect(entered).toMatchObject({ status: 200, body: { user_id: userId } })
    const cancelled = await resolveLink(server.call, facts.cancelled_room.teacher_join_url)
    expect(cancelled).toEqual(refused(403, 'room_cancelled'))
    const forged = `${facts.room.teacher_join_url.slice(0, -1)}B`
    expect(await resolveLink(server.call, forged)).toEqual(refused(401, 'link_invalid'))
  })

  it('has its recordings and transcripts', async () => {
    const records = await partner.listRecordings()
    expect(records.map(({ job_id }) => job_id)).toEqual([facts.pending_job, facts.recording.job_id])
    const file = records[1]?.files.find(({ path }) => path === 'recording.mkv')
    const bytes = await (await partner.downloadBlob(file?.blob_id ?? '')).arrayBuffer()
    expect(createHash('sha256').update(Buffer.from(bytes)).digest('hex')).toBe(facts.recording.sha256)
    const transcript = await server.operator.transcripts.find(facts.transcription.job_id)
    expect(transcript).toMatchObject({ text: facts.transcription.text, conference_tag: facts.room.tag })
  })

  it('delivers the webhook that was waiting, once, and none again', async () => {
    const { port } = receiver.address() as AddressInfo
    // The delivery was due, and is due again a while after it has failed once more.
    const attempts = () =>
      query('integration', "SELECT attempts FROM webhook_deliveries WHERE status = 'pending'")
    await expect.poll(attempts).toEqual([2])
    await partner.setWebhook({ url: `http://127.0.0.1:${port}/hook`, secret: facts.webhook_secret })
    vi.setSystemTime(Date.now() + 60_000)
    await expect.poll(() => received.length).toBe(1)
    expect(received[0]).toMatchObject({
      type: 'recording.ready',
      data: { recording: { job_id: facts.pending_job }, room: { tag: facts.second_room.tag } },
    })
    const states = () => query('integration', 'SELECT DISTINCT status FROM webhook_deliveries')
    await expect.poll(states).toEqual(['delivered'])
    expect(query('integration', 'SELECT count(*) FROM webhook_deliveries')).toEqual([3])
    expect(received).toHaveLength(1)
  })

  it('keeps sign-ins, passwords, conferences and their messages', async () => {
    const refresh = { refresh_token: facts.refresh_token }
    const refreshed = await server.call('POST', '/api/v1.0/auth/refresh', { body: refresh })
    expect(refreshed.status).toBe(200)
    const login = { login: facts.login, password: facts.password }
    const signedIn = await server.call('POST', '/api/v1.0/auth/login', { body: login })
    for (const { body } of [refreshed, signedIn]) {
      const path = `/api/v1.0/conferences/${facts.conference}`
      expect(await server.call('GET', path, { token: body.access_token })).toMatchObject({
        status: 200,
        body: { title: 'Team' },
      })
    }
    const store = await openMainStore(server.config.Db.Url)
    const messages = messageStore(store.db, { isPushEnabled: false })
    const page = await messages.page(`conference:${facts.conference}`, null, { limit: 10, bytes: 1e6 })
    await store.close()
    expect(page.messages.map(({ text }) => text)).toEqual(['First message'])
  })
})
