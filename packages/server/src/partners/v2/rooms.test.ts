import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openIntegrationStore } from '../../platform/db/open.ts'
import { openTestArchive, type TestArchive } from '../../records/testing/archive.ts'
import { enterLink, type Partner, resolveLink, tokenOf } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import type { Room } from '../ports.ts'
import { roomStore } from '../stores/rooms.ts'
import { peopleStore } from '../stores/v2/people.ts'
import { People } from './people/people.ts'
import { HostedRooms } from './rooms/hosted-rooms.ts'
import { openTestCalls, sweepRecordings, type Version2, version2 } from './testing.ts'

let server: TestServer
let calls: Awaited<ReturnType<typeof openTestCalls>>
let archive: TestArchive
let school: Partner
let api: Version2
let other: Version2
beforeAll(async () => {
  server = await startTestServer({ Integration: { AllowInsecureWebhooks: '1' } })
  calls = await openTestCalls(server)
  archive = await openTestArchive(server)
  school = await server.addPartner('school', { scopes: ['integration:rooms', 'blob'] })
  api = version2(server, school)
  other = version2(server, await server.addPartner('clinic', { scopes: ['integration:rooms', 'blob'] }))
})
afterAll(async () => {
  await archive.close()
  await calls.close()
  await server.close()
})

const put = async (externalId: string, body: object = {}) =>
  (await api('PUT', `/rooms/${externalId}`, { body })).body
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 100_000, interval: 50 })

describe('rooms of version 2', () => {
  it('are created, changed, listed, and are the rooms of version 1', async () => {
    const created = await put('r-1', {
      title: 'Algebra',
      starts_at: '2030-09-01T10:00:00+03:00',
      lobby: true,
      board: 'fresh',
    })
    expect(created).toMatchObject({
      board: 'fresh',
      created: true,
      starts_at: '2030-09-01T07:00:00.000Z',
      lobby: true,
      recording: { mode: 'automatic', format: 'mkv', keep_days: null },
    })
    const body = { recording: { format: 'mp4', keep_days: 30 }, metadata: { course: 'a' } }
    expect((await api('PATCH', '/rooms/r-1', { body })).body).toMatchObject({
      title: 'Algebra',
      lobby: true,
      recording: { mode: 'automatic', format: 'mp4', keep_days: 30 },
      metadata: { course: 'a' },
    })
    expect(await put('r-1', { title: 'Geometry' })).toMatchObject({
      created: false,
      title: 'Geometry',
      lobby: true,
    })
    expect((await school.get('r-1')).body).toMatchObject({
      ...{ title: 'Geometry', tag: created.tag, board: 'fresh' },
    })
    expect((await api('PATCH', '/rooms/r-1', { body: { board: 'off' } })).body).toMatchObject({
      board: 'off',
    })
    await school.patch('r-1', { title: 'Physics' })
    expect((await api('GET', '/rooms/r-1')).body).toMatchObject({ title: 'Physics', lobby: true })
    await put('r-2')
    const first = (await api('GET', '/rooms?limit=1')).body
    expect(first.rooms).toMatchObject([{ external_id: 'r-1' }])
    const second = (await api('GET', `/rooms?limit=1&after=${first.next}`)).body
    expect(second).toMatchObject({ rooms: [{ external_id: 'r-2' }], next: null })
  })

  it('are created anew by a PUT if another request deletes them meanwhile', async () => {
    const { tag } = await put('r-7', { title: 'Algebra' })
    const integration = await openIntegrationStore(server.config.Db.IntegrationDb)
    const store = roomStore(integration.db)
    let isDeleted = false
    const find: typeof store.find = async (...key) => {
      const found = await store.find(...key)
      if (!isDeleted) await store.remove(tag)
      isDeleted = true
      return found
    }
    const rooms = new HostedRooms({
      store: { ...store, find },
      clock: Date.now,
      keptDaysMax: null,
      publicUrl: () => '',
      ...{ conferences: {} as never, deletions: {} as never, retention: {} as never },
    })
    const again = await rooms.put(school.account.clientId, 'r-7', { description: 'Anew' })
    await integration.close()
    expect(again).toMatchObject({ created: true, room: { title: 'r-7', description: 'Anew' } })
    expect(again.room.tag).not.toBe(tag)
  })

  it('let those in who need not wait any more, when that has changed', async () => {
    await put('r-8', { lobby: true })
    const integration = await openIntegrationStore(server.config.Db.IntegrationDb)
    const reevaluated: string[] = []
    const rooms = new HostedRooms({
      store: roomStore(integration.db),
      clock: Date.now,
      keptDaysMax: null,
      publicUrl: () => '',
      conferences: { reevaluateLobby: async (tag: string) => void reevaluated.push(tag) } as never,
      ...{ deletions: {} as never, retention: {} as never },
    })
    const { clientId } = school.account
    const { tag } = await rooms.change(clientId, 'r-8', { title: 'Algebra', lobby: true })
    expect(reevaluated).toEqual([])
    await rooms.change(clientId, 'r-8', { lobby: false })
    await rooms.put(clientId, 'r-8', { plain_link: 'open' })
    await integration.close()
    expect(reevaluated).toEqual([tag, tag])
  })

  it('tell the page how it looks, and what it offers', async () => {
    const body = {
      brand: { name: 'School', accent: '#0a7d5a' },
      layout: 'grid',
      language: 'fr',
      return_url: 'https://school.example/lessons',
      transcription: { captions: true },
      features: { chat: false, screen_sharing: false },
      plain_link: 'open',
    }
    const features = { chat: false, files: true, screen_sharing: false, reactions: true, captions: true }
    const { transcription, plain_link, ...page } = { ...body, features }
    const { tag } = await put('r-5', body)
    expect((await api('PATCH', '/rooms/r-5', { body: { brand: {} } })).body).toMatchObject({
      ...page,
      transcription: { mode: 'off', language: null, captions: true },
    })
    const { join_url } = (await api('PUT', '/rooms/r-5/people/s-1')).body
    const joined = (await resolveLink(server.call, join_url)).body
    expect(joined).toMatchObject({ page, features: { chat: false, transcription: true } })
    expect((await server.call('GET', `/api/v1.0/conferences/${tag}`)).body).toMatchObject({ page })
    const message = { body: { text: 'Hello' } }
    expect(await api('POST', '/rooms/r-5/messages', message)).toEqual(refused(409, 'chat_off'))
    await put('r-6')
    const usual = (await api('PUT', '/rooms/r-6/people/s-1')).body
    expect((await resolveLink(server.call, usual.join_url)).body).not.toHaveProperty('page')
  })

  it('refuse addresses to return to that are not safe, colours that are none, and what is too large', async () => {
    const odd = [
      'https:school.example',
      ' https://school.example',
      'https:\\\\school.example',
      'https://a b.example',
    ]
    const unsafe = [
      'http://school.example',
      'javascript:alert(1)',
      '/lessons',
      '',
      'https://u:p@school.example',
    ]
    for (const return_url of [...unsafe, ...odd])
      expect(await api('PUT', '/rooms/r-3', { body: { return_url } })).toEqual(
        refused(400, 'invalid_argument'),
      )
    for (const body of [{ brand: { accent: 'red' } }, { layout: 'mosaic' }, { language: 'xx' }])
      expect(await api('PUT', '/rooms/r-3', { body })).toEqual(refused(400, 'invalid_argument'))
    const metadata = { long: 'x'.repeat(5_000) }
    expect(await api('PUT', '/rooms/r-3', { body: { metadata } })).toEqual(refused(400, 'invalid_argument'))
    for (const odd of [{ 'a\nb': { deep: [1] } }, { 'a\nb': 7 }, { 'a\0': 'x' }, { a: null }])
      expect(await api('PUT', '/rooms/r-3', { body: { metadata: odd } })).toEqual(
        refused(400, 'invalid_argument'),
      )
    expect(await api('PUT', '/rooms/r-3', { raw: '{"metadata":{"\\ud800":"x"}}' })).toEqual(
      refused(400, 'invalid_argument'),
    )
    expect(await api('GET', '/rooms/r-3')).toEqual(refused(404, 'room_not_found'))
    expect(await api('PUT', '/rooms/r-3', { body: { recording: { mode: 'never' } } })).toEqual(
      refused(400, 'invalid_argument'),
    )
  })

  it('open their links only so long before the start, and record as they are set', async () => {
    const starts_at = new Date(Date.now() + 3_600_000).toISOString()
    await put('r-4', { starts_at, opens_before_s: 600, recording: { mode: 'off' } })
    const { join_url } = (await api('PUT', '/rooms/r-4/people/s-1')).body
    const early = await resolveLink(server.call, join_url)
    expect(early).toEqual(refused(403, 'room_not_open'))
    const opensIn = Number(early.headers['retry-after'])
    expect(opensIn).toBeGreaterThan(2_900)
    expect(opensIn).toBeLessThanOrEqual(3_000)
    await put('r-4', { opens_before_s: 7_200 })
    expect((await resolveLink(server.call, join_url)).body).toMatchObject({ recording: { mode: 'off' } })
    expect(await api('POST', '/rooms/r-4/recording/start')).toEqual(refused(409, 'recording_off'))
  })
})

describe('Idempotency-Key', () => {
  const rotate = (key: string, person = 's-2') =>
    api('POST', `/rooms/keys/people/${person}/rotate`, { headers: { 'idempotency-key': key } })

  it('IDEMPOTENT-1 gives a repeated POST the first answer for a day', async () => {
    await put('keys')
    await api('PUT', '/rooms/keys/people/s-2')
    await api('PUT', '/rooms/keys/people/s-3')
    const first = await rotate('k-1')
    const again = await rotate('k-1')
    expect(again.body).toEqual(first.body)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect((await rotate('k-2')).body.join_url).not.toBe(first.body.join_url)
    expect(await rotate('k-1', 's-3')).toEqual(refused(422, 'idempotency_key_reused'))
    const ofOther = await other('POST', '/rooms/keys/people/s-2/rotate', {
      headers: { 'idempotency-key': 'k-1' },
    })
    expect(ofOther).toEqual(refused(404, 'room_not_found'))
    await calls.db
      .updateTable('partner_requests')
      .set({ created_at_ms: Date.now() - 86_400_001 })
      .execute()
    expect((await rotate('k-1')).body.join_url).not.toBe(first.body.join_url)
  })

  it('IDEMPOTENT-2 refuses a repetition while the first one is handled', async () => {
    await calls.db
      .updateTable('partner_requests')
      .set({ status: null, created_at_ms: Date.now() })
      .where('key', '=', 'k-1')
      .execute()
    expect(await rotate('k-1')).toEqual(refused(409, 'idempotency_key_in_use'))
  })
})

describe('people', () => {
  it('PEOPLE-1 enter by links of their own, which neither names nor roles change', async () => {
    await put('p-1')
    const path = '/rooms/p-1/people/teacher%2F1'
    const anna = (await api('PUT', path, { body: { display_name: 'Anna', role: 'assistant' } })).body
    expect((await resolveLink(server.call, anna.join_url)).body).toMatchObject({
      role: 'teacher',
      display_name: 'Anna',
      participant_auth: true,
    })
    const changed = (await api('PUT', path, { body: { role: 'student', metadata: { a: 'b' } } })).body
    expect(changed).toMatchObject({ display_name: 'Anna', join_url: anna.join_url, metadata: { a: 'b' } })
    expect((await resolveLink(server.call, anna.join_url)).body.role).toBe('student')
    const account = (await enterLink(server.call, anna.join_url)).body
    await put('p-2')
    const elsewhere = (await api('PUT', '/rooms/p-2/people/teacher%2F1')).body
    expect((await enterLink(server.call, elsewhere.join_url)).body.user_id).toBe(account.user_id)
    const forged = `${anna.join_url.slice(0, -8)}AAAAAAAA`
    expect(await resolveLink(server.call, forged)).toEqual(refused(401, 'link_invalid'))
  })

  it('PEOPLE-1 keep what concurrent requests change', async () => {
    const { tag } = await put('p-5')
    const store = peopleStore(calls.db)
    const usual = { displayName: '', role: 'student', metadata: {} } as const
    const asFoundBefore = { clientId: 1, tag, externalId: 's-1', key: 'k-5', ...usual }
    for (const change of [
      { displayName: 'Ben' },
      { role: 'observer' },
      { metadata: { a: 'b' } },
      {},
    ] as const)
      await store.save(asFoundBefore, change, 1)
    expect((await api('GET', '/rooms/p-5/people/s-1')).body).toMatchObject({
      ...{ display_name: 'Ben', role: 'observer', metadata: { a: 'b' } },
    })
  })

  it('are not left behind in a room that is deleted while they are added', async () => {
    const nobody = { externalId: null }
    const room = {
      clientId: 1,
      tag: 'deleted-room',
      people: { teacher: nobody, student: nobody },
    } as unknown as Room
    const store = peopleStore(calls.db)
    const people = new People({ store, findRoom: async () => null } as unknown as ConstructorParameters<
      typeof People
    >[0])
    await expect(people.put(room, 's-1', { display_name: 'Ben' })).rejects.toThrow(
      expect.objectContaining({ code: 'room_not_found' }),
    )
    expect(await store.externalIds(room.tag)).toEqual([])
  })

  it('PEOPLE-2 have their links replaced and removed', async () => {
    await put('p-3')
    const path = '/rooms/p-3/people/s-1'
    const first = (await api('PUT', path)).body.join_url
    const second = (await api('POST', `${path}/rotate`)).body.join_url
    expect(await resolveLink(server.call, first)).toEqual(refused(403, 'link_rotated'))
    expect((await resolveLink(server.call, second)).status).toBe(200)
    for (let i = 0; i < 2; i++) expect((await api('DELETE', path)).status).toBe(200)
    expect(await resolveLink(server.call, second)).toEqual(refused(403, 'link_rotated'))
    const third = (await api('PUT', path)).body.join_url
    expect(await resolveLink(server.call, second)).toEqual(refused(403, 'link_rotated'))
    expect((await resolveLink(server.call, third)).status).toBe(200)
    expect(await api('POST', '/rooms/p-3/people/none/rotate')).toEqual(refused(404, 'person_not_found'))
  })

  it('PEOPLE-3 of version 1 get new links, and stay who they are when they are changed', async () => {
    const teacher = { external_id: 't-1', display_name: 'Anna' }
    const { teacher_join_url } = await school.room('p-6', { teacher })
    const path = '/rooms/p-6/people/t-1'
    const rotated = (await api('POST', `${path}/rotate`)).body
    expect(rotated).toMatchObject({ ...teacher, role: 'teacher' })
    expect(await resolveLink(server.call, teacher_join_url)).toEqual(refused(403, 'link_rotated'))
    expect((await resolveLink(server.call, rotated.join_url)).body).toMatchObject({ role: 'teacher' })
    const changed = (await api('PUT', path, { body: { metadata: { a: 'b' } } })).body
    expect(changed).toMatchObject({ ...teacher, role: 'teacher', metadata: { a: 'b' } })
    const again = (await api('POST', `${path}/rotate`)).body
    expect(again.metadata).toEqual({ a: 'b' })
    for (const { join_url } of [rotated, changed])
      expect(await resolveLink(server.call, join_url)).toEqual(refused(403, 'link_rotated'))
    expect((await resolveLink(server.call, again.join_url)).body).toMatchObject({ role: 'teacher' })
  })

  it('PEOPLE-3 are listed with the teacher and the student of version 1', async () => {
    await school.room('p-4', { teacher: { external_id: 't-1' }, student: { external_id: 's-1' } })
    for (const id of ['a', 'b', 's-1']) await api('PUT', `/rooms/p-4/people/${id}`)
    const first = (await api('GET', '/rooms/p-4/people?limit=2')).body
    const second = (await api('GET', `/rooms/p-4/people?limit=2&after=${first.next}`)).body
    const ids = [...first.people, ...second.people].map((each: { external_id: string }) => each.external_id)
    expect(ids).toEqual(['t-1', 'a', 'b', 's-1'])
    await api('DELETE', '/rooms/p-4/people/t-1')
    expect(await api('GET', '/rooms/p-4/people/t-1')).toEqual(refused(404, 'person_not_found'))
  })
})

/** What the hourly sweep would delete. */
async function sweptRecordings(stuck: string | null = null): Promise<string[]> {
  const integration = await openIntegrationStore(server.config.Db.IntegrationDb)
  const swept = await sweepRecordings(calls.db, integration.db, stuck)
  await integration.close()
  return swept
}

describe('recordings', () => {
  const addRecording = async (tag: string, jobId: string, changes: object = {}) => {
    const { id } = await archive.addBlob(tag, '0123456789', {
      name: 'recording.mp4',
      contentType: 'video/mp4',
    })
    await archive.addRecording(tag, jobId, { blobIds: [id], ...changes })
    return id
  }

  it('are listed in pages of at most 8 MiB', async () => {
    const { tag } = await put('rec-long')
    for (const id of ['job_l1', 'job_l2', 'job_l3']) await addRecording(tag, id)
    const [file] = (await api('GET', '/recordings?room=rec-long')).body.recordings[0].files
    const files = JSON.stringify([
      { ...file, path: 'x'.repeat(5_000_000), contentType: 'video/mp4', blobId: 'b' },
    ])
    await calls.db.updateTable('recordings').set({ files }).where('conference_tag', '=', tag).execute()
    const read: string[][] = []
    for (let next: number | null = 0; next !== null; ) {
      const page: Awaited<ReturnType<Version2>> = await api('GET', `/recordings?room=rec-long&after=${next}`)
      read.push(page.body.recordings.map(({ id }: { id: string }) => id))
      next = page.body.next
    }
    expect(read).toEqual([['job_l1'], ['job_l2'], ['job_l3']])
    await calls.db.updateTable('recordings').set({ files: '[]' }).where('conference_tag', '=', tag).execute()
  })

  it('FILELINK-1 are read by links with ranges until these expire or are revoked', async () => {
    const { tag } = await put('rec-1')
    await addRecording(tag, 'job_a')
    expect((await api('GET', '/recordings?room=rec-1')).body.recordings).toMatchObject([
      { id: 'job_a', room: 'rec-1', files: [{ path: 'recording.mp4', size: 10 }] },
    ])
    const create = (expires_in: number) =>
      api('POST', '/recordings/job_a/links', {
        body: { path: 'recording.mp4', expires_in, disposition: 'inline' },
      })
    const link = (await create(60)).body
    const read = (headers = {}) => server.call('GET', new URL(link.url).pathname, { headers })
    expect(await read()).toMatchObject({ status: 200, body: '0123456789' })
    const part = await read({ range: 'bytes=2-4' })
    expect(part).toMatchObject({ status: 206, body: '234' })
    expect(part.headers['content-disposition']).toBe('inline; filename="recording.mp4"')
    expect(part.headers['content-security-policy']).toContain("media-src 'self'; frame-ancestors 'none'")
    expect(await server.call('GET', `${new URL(link.url).pathname}x`)).toEqual(refused(401, 'link_invalid'))
    expect(await create(604_801)).toEqual(refused(400, 'invalid_argument'))
    const enable = (enabled: boolean) => server.operator.serviceAccounts.set(school.account.name, { enabled })
    await enable(false)
    expect(await read()).toEqual(refused(401, 'link_invalid'))
    await enable(true)
    expect((await read()).status).toBe(200)
    const revoked = (await create(60)).body
    await api('DELETE', `/recordings/job_a/links/${revoked.id}`)
    expect(await server.call('GET', new URL(revoked.url).pathname)).toEqual(refused(401, 'link_invalid'))
    await calls.db
      .updateTable('partner_links')
      .set({ expires_at_ms: Date.now() - 1 })
      .execute()
    expect(await read()).toEqual(refused(401, 'link_invalid'))
  })

  it('are deleted with files, links and transcripts, which an event and the audit log tell', async () => {
    const { tag } = await put('rec-2')
    const blobId = await addRecording(tag, 'job_b')
    const link = (
      await api('POST', '/recordings/job_b/links', { body: { path: 'recording.mp4', expires_in: 60 } })
    ).body
    expect((await api('DELETE', '/recordings/job_b')).status).toBe(200)
    expect(await api('GET', '/recordings/job_b')).toEqual(refused(404, 'recording_not_found'))
    expect(await server.call('GET', new URL(link.url).pathname)).toEqual(refused(401, 'link_invalid'))
    expect(await archive.blobs.find(blobId)).toBeNull()
    await until(async () => {
      const { events } = (await api('GET', '/events?room=rec-2&type=recording.deleted')).body
      expect(events).toMatchObject([{ data: { recording: { id: 'job_b' } } }])
    })
    const audited = await calls.db.selectFrom('audit_log').selectAll().where('target', '=', 'job_b').execute()
    expect(audited).toMatchObject([{ action: 'recording.delete', outcome: 'done' }])
  })

  it('are not deleted while the audit log cannot be written', async () => {
    const { tag } = await put('rec-3')
    await addRecording(tag, 'job_c')
    await calls.db.schema.alterTable('audit_log').renameTo('audit_log_away').execute()
    const answer = await api('DELETE', '/recordings/job_c')
    await calls.db.schema
      .alterTable('audit_log_away' as never)
      .renameTo('audit_log')
      .execute()
    expect(answer).toEqual(refused(500, 'internal'))
    expect((await api('GET', '/recordings/job_c')).status).toBe(200)
    expect((await api('DELETE', '/recordings/job_c')).status).toBe(200)
  })

  it('KEEP-1 are kept as long as the room says, else the account, and at most as long as the server', async () => {
    const { tag } = await put('kept', { recording: { format: 'mp4' } })
    await put('own', { recording: { keep_days: 365 } })
    const kept = async (room: string) => (await api('GET', `/rooms/${room}`)).body.recordings_kept_days
    const set = (keepDays: number | null) =>
      server.operator.serviceAccounts.set(school.account.name, { keepDays })
    expect([await kept('kept'), await kept('own')]).toEqual([null, 365])
    const old = Date.now() - 31 * 86_400_000
    await addRecording(tag, 'job_old', { startedAtMs: old - 1_000, endedAtMs: old })
    await addRecording(tag, 'job_new', { startedAtMs: Date.now() - 1_000, endedAtMs: Date.now() })
    const own = (await api('GET', '/rooms/own')).body.tag
    await addRecording(own, 'job_own', { startedAtMs: old - 1_000, endedAtMs: old })
    await set(30)
    expect([await kept('kept'), await kept('own')]).toEqual([30, 365])
    expect((await api('GET', '/rooms')).body.rooms).toContainEqual(
      expect.objectContaining({ external_id: 'kept', recordings_kept_days: 30 }),
    )
    expect(await sweptRecordings()).toContain('job_old')
    for (const id of ['job_new', 'job_own']) expect(await sweptRecordings()).not.toContain(id)
    await set(null)
    expect(await kept('kept')).toBeNull()
    expect(await sweptRecordings()).toEqual([])
    const strict = await startTestServer({ Retention: { Recordings: '60' } })
    const academy = version2(strict, await strict.addPartner('academy'))
    const room = async (name: string, keep_days: number | null) =>
      (await academy('PUT', `/rooms/${name}`, { body: { recording: { keep_days } } })).body
        .recordings_kept_days
    expect([await room('a', 365), await room('b', 7), await room('c', null)]).toEqual([60, 7, 60])
    await strict.close()
  })

  it('that cannot be deleted keep no others', async () => {
    const old = Date.now() - 31 * 86_400_000
    for (const room of ['stuck', 'after']) {
      const { tag } = await put(room, { recording: { keep_days: 30 } })
      for (const number of [1, 2])
        await addRecording(tag, `job_${room}_${number}`, { startedAtMs: old - 1_000, endedAtMs: old })
    }
    const all = ['job_stuck_1', 'job_stuck_2', 'job_after_1', 'job_after_2']
    expect(await sweptRecordings()).toEqual(expect.arrayContaining(all))
    expect((await sweptRecordings('job_stuck_1')).sort()).toEqual(all.slice(1).sort())
  })

  it('have transcripts as JSON, WebVTT and text', async () => {
    const { tag } = await put('rec-3')
    const speaker = { client_id: 5, device_id: 1, name: 'Anna' }
    const segments = [{ seq: 1, at: 1_005_000, speaker, text: 'Good morning.', partial: false }]
    await calls.db
      .insertInto('transcripts')
      .values({
        job_id: 'job_t',
        conference_tag: tag,
        conference_session_id: 1,
        status: 'completed',
        language: 'en',
        engine: 'e',
        started_at_ms: 1_000_000,
        ended_at_ms: 1_010_000,
        reason: 'stopped',
        text: 'Good morning.',
        segments: JSON.stringify(segments),
        indexed_at: 1,
        notified_at: null,
      })
      .execute()
    expect((await api('GET', '/transcripts?room=rec-3')).body.transcripts).toMatchObject([{ id: 'job_t' }])
    expect((await api('GET', '/transcripts/job_t')).body).toMatchObject({
      text: 'Good morning.',
      segments: [{ speaker: { name: 'Anna', external_id: null } }],
    })
    expect((await api('GET', '/transcripts/job_t/vtt')).body).toMatch(
      /^WEBVTT\n[\s\S]*<v Anna>Good morning\./,
    )
    expect((await api('GET', '/transcripts/job_t/txt')).body).toBe('Anna: Good morning.\n')
  })
})

describe('live', () => {
  it('is refused while nobody is in the room', async () => {
    await put('live')
    expect((await api('GET', '/rooms/live/participants')).body).toEqual({
      result: 200,
      live: false,
      participants: [],
    })
    const message = { body: { text: 'Hello' } }
    expect(await api('POST', '/rooms/live/messages', message)).toEqual(refused(409, 'room_not_live'))
    expect(await api('POST', '/rooms/live/recording/stop')).toEqual(refused(409, 'room_not_live'))
    expect(await api('POST', '/rooms/live/participants/1.1.1/mute')).toEqual(refused(409, 'room_not_live'))
    expect((await api('POST', '/rooms/live/end')).status).toBe(200)
  })
})

/** Every answer is compared with the OpenAPI document, too (testing/documented.ts). */
describe('what cannot be done', () => {
  const LIVE: [path: string, body?: object][] = [
    ['participants/1.1.1/mute', { source: 'screen' }],
    ['participants/1.1.1/remove'],
    ['recording/start'],
    ['recording/stop'],
    ['messages', { text: 'Hello' }],
  ]
  const post = (room: string, [path, body]: (typeof LIVE)[number]) =>
    api('POST', `/rooms/${room}/${path}`, body && { body })

  it('in a room that is closed or cancelled, or after its call, is refused as in an empty one', async () => {
    for (const name of ['closed', 'cancelled', 'after']) await put(name)
    await school.call('POST', '/rooms/closed/close')
    await school.call('POST', '/rooms/cancelled/cancel')
    const lease = await calls.start((await put('after')).tag)
    await calls.end(lease)
    for (const name of ['closed', 'cancelled', 'after']) {
      for (const each of LIVE) expect(await post(name, each)).toEqual(refused(409, 'room_not_live'))
      expect((await api('POST', `/rooms/${name}/end`)).status).toBe(200)
      expect((await api('GET', `/rooms/${name}/participants`)).body).toMatchObject({ live: false })
    }
  })

  it('because the room says so is refused with that reason, whether it is live or not', async () => {
    await put('silent', { features: { chat: false }, recording: { mode: 'off' } })
    const codes = await Promise.all(LIVE.map(async each => (await post('silent', each)).body.code))
    expect(codes).toEqual([
      ...['room_not_live', 'room_not_live'],
      ...['recording_off', 'room_not_live', 'chat_off'],
    ])
  })

  it.each([
    ['a%2Fb', 404],
    ['%F0%9F%91%8B', 404],
    ['%00', 400],
    ['a%0Ab', 400],
    ['%', 400],
    ['%ff', 400],
    ['x'.repeat(129), 404],
    ['x'.repeat(256), 400],
    ["'%20OR%201=1--", 404],
  ])('to a room with the id %s is refused with a documented answer', async (id, expected) => {
    const routes: [string, string, object?][] = [
      ['GET', ''],
      ['GET', '/participants'],
      ['GET', '/people'],
      ...LIVE.map(([path, body]): [string, string, object?] => ['POST', `/${path}`, body]),
      ['POST', '/end'],
      ['DELETE', ''],
    ]
    for (const [method, path, body] of routes) {
      const answer = await api(method, `/rooms/${id}${path}`, body && { body })
      expect([expected, 404], `${method} ${path}`).toContain(answer.status)
      expect(typeof answer.body.code).toBe('string')
    }
  })

  it('with other participants and bodies than there are is refused', async () => {
    await put('odd')
    for (const id of ['%00', 'x'.repeat(129)])
      for (const verb of ['mute', 'remove'])
        expect((await api('POST', `/rooms/odd/participants/${id}/${verb}`)).body.code).toBe(
          'invalid_argument',
        )
    for (const body of [
      {},
      { text: '' },
      { text: ' ' },
      { text: 'x'.repeat(2_001) },
      { text: 7 },
      [],
      { text: 'a\0' },
    ])
      expect(await api('POST', '/rooms/odd/messages', { body })).toEqual(refused(400, 'invalid_argument'))
    expect(await api('POST', '/rooms/odd/participants/1/mute', { body: { source: 'all' } })).toEqual(
      refused(400, 'invalid_argument'),
    )
  })

  it('beyond the limits of pages is refused, in every list', async () => {
    await put('lists')
    const endpoint = (await api('POST', '/endpoints', { body: { url: 'http://127.0.0.1:9/' } })).body.id
    const lists = ['/rooms', '/rooms/lists/people', '/events', '/recordings', '/transcripts?room=lists']
    for (const list of [...lists, `/endpoints/${endpoint}/deliveries`]) {
      const page = (query: string) => api('GET', `${list}${list.includes('?') ? '&' : '?'}${query}`)
      for (const query of ['limit=1', 'limit=200', 'after=0', 'after=999999999'])
        expect((await page(query)).status, `${list} ${query}`).toBe(200)
      for (const query of [
        'limit=0',
        'limit=201',
        'limit=-1',
        'limit=x',
        'limit=1.5',
        'limit=',
        'after=-1',
        'after=x',
      ])
        expect(await page(query), `${list} ${query}`).toEqual(refused(400, 'invalid_argument'))
    }
  })
})

it('links of version 2 are of another kind than those of version 1', async () => {
  await put('kinds')
  const { join_url } = (await api('PUT', '/rooms/kinds/people/x')).body
  expect(tokenOf(join_url)).toMatch(/^E[\w-]{58}A$/)
})
