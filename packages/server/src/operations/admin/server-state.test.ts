import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openTestArchive } from '../../records/testing/archive.ts'
import { enterLink, resolveLink } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let boss: string
beforeAll(async () => {
  server = await startTestServer()
  boss = await signIn(server)
})
afterAll(() => server.close())

async function signIn(target: TestServer): Promise<string> {
  const { login, password } = await target.addUser('boss', { capabilities: ['admin'] })
  return (await target.call('POST', '/api/v1.0/auth/login', { body: { login, password } })).body.access_token
}
const api = (method: string, path: string, body?: Record<string, unknown>) =>
  server.call(method, `/api/v1.0/admin${path}`, { token: boss, ...(body && { body }) })

/** Joins a conference over the first version of the control channel. */
async function join(tag: string, accessToken: string, joinToken: string) {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/v1.0/control`, 'svc.control')
  const frames: Record<string, unknown>[] = []
  socket.on('message', data => frames.push(JSON.parse(String(data))))
  socket.on('close', (code, reason) => frames.push({ closed: code, reason: String(reason) }))
  await new Promise(resolve => socket.once('open', resolve))
  const client = { name: 'test', version: '1', platform: 'web' }
  const received = (frame: object) => expect.poll(() => frames).toContainEqual(expect.objectContaining(frame))
  socket.send(JSON.stringify({ login: { access_token: accessToken, join_token: joinToken, client } }))
  await received({ login_result: expect.objectContaining({ ok: true }) })
  const target = { kind: 'conference', id: tag }
  socket.send(JSON.stringify({ id: '1', command: 'conference.join', target, params: {} }))
  await received({ id: '1', result: expect.anything() })
  return socket
}

describe('live sessions and rooms', () => {
  it('are listed, shown with their participants, and ended', async () => {
    const school = await server.addPartner('school')
    const lesson = { title: 'Алгебра 1', teacher: { display_name: 'Anna', external_id: 'anna' } }
    const room = await school.room('lesson', lesson)
    const anna = (await enterLink(server.call, room.teacher_join_url)).body.access_token
    expect((await api('GET', '/sessions')).body).toEqual({ result: 200, sessions: [], next: null })
    const socket = await join(room.tag, anna, room.teacher_join_url.split('/').at(-1) ?? '')

    // Signed links show who is inside, to the teacher and the student alike.
    for (const link of [room.teacher_join_url, room.student_join_url])
      expect((await resolveLink(server.call, link)).body.participants).toEqual({ names: ['Anna'], count: 1 })

    const { sessions } = (await api('GET', `/sessions?search=${encodeURIComponent('алг')}`)).body
    expect(sessions).toMatchObject([
      {
        conference_tag: room.tag,
        title: 'Алгебра 1',
        kind: 'partner',
        participant_count: 1,
        rtc_node_id: null,
        rtc_node_ids: [],
        media_nodes: [],
      },
    ])
    const path = `/sessions/${sessions[0].conference_session_id}`
    expect((await api('GET', path)).body.participants).toMatchObject([
      { display_name: 'Anna', role: 'moderator', presence: 'here', quality: null, publications: [] },
    ])
    expect((await api('GET', `/rooms?search=${encodeURIComponent('алг')}`)).body).toMatchObject({
      rooms: [{ external_id: 'lesson', owner: 'school-robot', status: 'scheduled', live: true }],
      next: null,
    })
    expect((await api('GET', '/health')).body).toMatchObject({ sessions: 1, participants: 1, connections: 1 })

    expect((await api('POST', `${path}/end`)).status).toBe(200)
    expect(await api('POST', `${path}/end`)).toEqual(refused(404, 'session_not_found'))
    expect((await api('GET', '/sessions')).body.sessions).toEqual([])
    expect((await api('GET', '/audit?action=session.end&outcome=done')).body.records[0].target).toContain(
      room.tag,
    )
    socket.close()
  })

  it('close and cancel rooms of every partner', async () => {
    const college = await server.addPartner('college')
    const { tag } = await college.room('exam')
    expect((await api('POST', `/rooms/${tag}/close`)).body).toMatchObject({ status: 'closed', live: false })
    expect((await college.get('exam')).body).toMatchObject({ status: 'closed' })
    expect((await api('POST', `/rooms/${tag}/cancel`)).body).toMatchObject({ status: 'cancelled' })
    expect((await api('GET', '/rooms?status=cancelled')).body.rooms).toMatchObject([{ tag }])
    expect(await api('POST', '/rooms/none/close')).toEqual(refused(404, 'room_not_found'))
  })
})

describe('jobs and recordings', () => {
  it('cancels a job that is queued, and refuses one that has ended', async () => {
    const db = new Database(server.config.Db.Url)
    const insert = db.prepare(
      `INSERT INTO jobs (id, kind, scope, conference_session_id, conference_tag, params, state, stop_requested,
        attempts, active, details, created_at_ms, updated_at_ms)
        VALUES (?, 'transcription', 'manual', ?, 'room', '{}', 'done', 0, 1, 0, '{}', ?, ?)`,
    )
    for (let i = 0; i < 3; i++) insert.run(`job_${i}`, 500 + i, i, i)
    db.close()
    const page = (await api('GET', '/jobs?state=done&limit=2')).body
    expect(page).toMatchObject({ jobs: [{ job_id: 'job_2' }, { job_id: 'job_1' }], next: '1.job_1' })
    expect((await api('GET', `/jobs?state=done&before=${page.next}`)).body).toMatchObject({
      jobs: [{ job_id: 'job_0' }],
      next: null,
    })
    expect(await api('POST', '/jobs/job_0/cancel')).toEqual(refused(409, 'job_ended'))
    expect(await api('POST', '/jobs/none/cancel')).toEqual(refused(404, 'job_not_found'))
    expect(await api('GET', '/jobs?before=5')).toEqual(refused(400, 'invalid_argument'))
  })

  it('lists recordings with their owner and size, and deletes them with their files', async () => {
    const archive = await openTestArchive(server)
    const lab = await server.addPartner('lab')
    const { tag } = await lab.room('a')
    const blob = await archive.addBlob(tag, 'bytes of a file')
    await archive.addRecording(tag, 'rec-1', { blobIds: [blob.id] })
    await archive.addRecording('of-nobody', 'rec-2')
    expect((await api('GET', '/recordings')).body.recordings).toMatchObject([
      { job_id: 'rec-2', owner: null, file_count: 0, bytes: 0 },
      { job_id: 'rec-1', owner: 'lab-robot', file_count: 1, bytes: 15, conference_tag: tag },
    ])
    expect((await api('GET', `/recordings?conference=${tag}`)).body.recordings).toHaveLength(1)
    expect((await api('GET', '/storage')).body).toMatchObject({
      file_count: 1,
      file_bytes: 15,
      recording_count: 2,
      bucket: null,
      database_bytes: expect.any(Number),
      disks: [
        { uses: expect.arrayContaining(['files', 'data', 'database']), free_bytes: expect.any(Number) },
      ],
    })
    expect((await api('DELETE', '/recordings/rec-1')).status).toBe(200)
    expect(await archive.blobs.find(blob.id)).toBeNull()
    expect(await api('DELETE', '/recordings/rec-1')).toEqual(refused(404, 'recording_not_found'))
    await archive.close()
  })
})

describe('webhook deliveries', () => {
  it('are listed and replayed, never with their bodies', async () => {
    const db = new Database(server.config.Db.IntegrationDb)
    await server.addPartner('hooked')
    db.prepare(
      `INSERT INTO webhook_subscriptions (service_account, url, secret, events, enabled, created_at, updated_at) VALUES ('hooked', 'https://192.0.2.1/', 'a secret of webhooks', '[]', 1, 1, 1)`,
    ).run()
    db.prepare(
      `INSERT INTO webhook_deliveries (id, service_account, event, subject, body, status, attempts, response_status,
        error, created_at, updated_at, history)
        VALUES ('wh_1', 'hooked', 'recording.ready', 'recording:1', '{"text":"body"}', 'failed', 9, 500, 'HTTP 500', 5, 6, ?)`,
    ).run(
      `{"startedAtMs":7,"durationMs":8,"responseStatus":500,"error":"HTTP 500","excerpt":"Oops"}
{"startedAtMs":6,"durationMs":null,"responseStatus":null,"error":"INTERRUPTED","excerpt":null}
`,
    )
    db.close()
    const list = await api('GET', '/webhook-deliveries?status=failed')
    expect(list.body.deliveries).toEqual([
      {
        id: 'wh_1',
        service_account: 'hooked',
        event: 'recording.ready',
        subject: 'recording:1',
        status: 'failed',
        attempts: 9,
        next_attempt_at_ms: null,
        response_status: 500,
        error: 'HTTP 500',
        created_at: 5,
        updated_at: 6,
      },
    ])
    expect((await api('GET', '/webhook-deliveries/wh_1')).body).toMatchObject({
      id: 'wh_1',
      attempts: 9,
      history: [
        { started_at_ms: 7, duration_ms: 8, response_status: 500, error: 'HTTP 500', excerpt: 'Oops' },
        { started_at_ms: 6, duration_ms: null, response_status: null, error: 'INTERRUPTED', excerpt: null },
      ],
    })
    expect(JSON.stringify((await api('GET', '/webhook-deliveries?limit=1')).body)).not.toContain('Oops')
    expect((await api('POST', '/webhook-deliveries/wh_1/replay')).body).toMatchObject({
      status: 'pending',
      attempts: 0,
    })
    expect(await api('GET', '/webhook-deliveries/none')).toEqual(refused(404, 'delivery_not_found'))
    expect(await api('POST', '/webhook-deliveries/none/replay')).toEqual(refused(404, 'delivery_not_found'))
  })
})

describe('the state of the server', () => {
  it('names version, databases and media workers', async () => {
    const { body } = await api('GET', '/health')
    expect(body).toMatchObject({
      ready: true,
      partner_module: true,
      node_version: process.version,
      started_at_ms: expect.any(Number),
      media_workers_expected: expect.any(Number),
      workers: [],
    })
    expect(body.media_workers).toHaveLength(body.media_workers_expected)
    expect(body.media_workers[0]).toMatchObject({
      node: null,
      pid: expect.any(Number),
      open_descriptors: expect.any(Number),
    })
  })

  it('is sampled, and its samples survive a restart (CHART-1)', async () => {
    const started = await startTestServer()
    // Before the first sample; on a busy machine the sign-in comes after it.
    await started.call('GET', '/api/v1.0/server_info')
    const token = await signIn(started)
    const samples = async (target: TestServer) =>
      (await target.call('GET', '/api/v1.0/admin/samples', { token })).body.samples
    await expect.poll(async () => (await samples(started)).at_ms.length).toBe(1)
    const before = await samples(started)
    expect(before.requests[0]).toBeGreaterThan(0)
    expect(before.memory_bytes[0]).toBeGreaterThan(1e7)
    expect([before.sessions, before.packet_loss_percent, before.incoming_bps]).toEqual([[0], [null], [0]])
    await started.stop()
    const folder = started.config.Server.DataDir.replace(/\/data$/, '')
    const restarted = await startTestServer({}, folder)
    expect((await samples(restarted)).at_ms).toEqual(before.at_ms)
    await restarted.close()
  })

  it('has no rooms, service accounts and deliveries while the partner module is disabled', async () => {
    const alone = await startTestServer({ Integration: { Enabled: '0' } })
    const token = await signIn(alone)
    for (const path of ['/rooms', '/service-accounts', '/webhook-deliveries'])
      expect(await alone.call('GET', `/api/v1.0/admin${path}`, { token })).toEqual(
        refused(409, 'partner_module_disabled'),
      )
    expect((await alone.call('GET', '/api/v1.0/admin/health', { token })).body).toMatchObject({
      partner_module: false,
      webhooks_pending: null,
    })
    await alone.close()
  })
})
