import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Receiver, startReceiver } from '../../platform/delivery/testing/receiver.ts'
import { createLog } from '../../platform/log.ts'
import { recordingReady, transcriptionReady } from '../../records/partner-events.ts'
import { call } from '../../testing/http.ts'
import type { Partner } from '../../testing/partner.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { Deliveries } from '../webhooks/deliveries.ts'
import { openPartners } from '../webhooks/testing/partners.ts'

/**
 * Version 1 of the partner API stays as it is, byte for byte (docs/partner-api.md, rule API-5). What differs from run to run
 * is replaced by its kind.
 */
let server: TestServer
let receiver: Receiver
let partner: Partner
beforeAll(async () => {
  server = await startTestServer({
    Integration: { AllowInsecureWebhooks: '1', PublicUrl: 'https://meet.example.org' },
  })
  receiver = await startReceiver()
  partner = await server.addPartner('school', { scopes: ['integration:rooms', 'blob'] })
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})

const normalize = (text: string): string =>
  text
    .replace(/127\.0\.0\.1:\d+/g, '<host>')
    .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<jwt>')
    .replace(/"(refresh_token)":"[^"]+"/g, '"$1":"<secret>"')
    .replace(/\/j\/[\w-]+/g, '/j/<link>')
    .replace(/\b[a-z2-9]{4}-[a-z2-9]{5}-[a-z2-9]{4}\b/g, '<tag>')
    .replace(/wh_[0-9a-f]{32}/g, 'wh_<id>')
    .replace(/test:[0-9a-f]+/g, 'test:<id>')
    .replace(/p-[0-9a-f]{24}/g, 'p-<id>')
    .replace(/"(created_at|updated_at|\w+_ms|previous_secret_expires_at|user_id)":\d+/g, '"$1":0')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/"version":"[^"]+"/g, '"version":"<version>"')

interface Step {
  method: string
  path: string
  body?: unknown
  token?: string
}

/** Fields in their order, and the headers that the API sets. */
async function record({ method, path, body, token = partner.token }: Step): Promise<string> {
  const sent = { token, ...(body !== undefined && { body }) }
  const answer = await call(server.url, method, `/api/v1/integration${path}`, sent)
  const headers = ['content-type', 'allow', 'www-authenticate', 'retry-after']
    .filter(name => answer.headers[name] !== undefined)
    .map(name => `${name}: ${answer.headers[name]}`)
  const request = `${method} ${path}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`
  return normalize(
    [
      request.replace(partner.secret, '<secret>'),
      String(answer.status),
      ...headers,
      JSON.stringify(answer.body),
    ].join('\n'),
  )
}

const room = {
  title: 'Algebra',
  description: 'Lesson',
  starts_at: '2030-09-01T10:00:00+03:00',
  ends_at: '2030-09-01T11:00:00+03:00',
  teacher: { display_name: 'Anna', external_id: 't-1' },
  student: { display_name: 'Ben' },
}

describe('version 1 of the partner API', () => {
  it('answers and refuses as it always has (API-1)', async () => {
    const rooms: Step[] = [
      { method: 'GET', path: '/server_info' },
      { method: 'GET', path: '/server_info', token: 'none' },
      { method: 'POST', path: '/auth/token', body: { service_account: 'school', client_secret: 'wrong' } },
      {
        method: 'POST',
        path: '/auth/token',
        body: { service_account: 'school', client_secret: partner.secret },
      },
      { method: 'POST', path: '/auth/token', body: {} },
      { method: 'GET', path: '/rooms/none' },
      { method: 'PUT', path: '/rooms/lesson-1', body: room },
      { method: 'PUT', path: '/rooms/lesson-1', body: { title: 'Other' } },
      { method: 'PUT', path: '/rooms/lesson-2' },
      { method: 'PUT', path: '/rooms/lesson-3', body: { starts_at: 'yesterday' } },
      { method: 'PUT', path: '/rooms/lesson-3', body: { title: 7 } },
      { method: 'PUT', path: '/rooms/..', body: {} },
      { method: 'GET', path: '/rooms/lesson-1' },
      { method: 'PATCH', path: '/rooms/lesson-1', body: { title: 'Geometry', student: null } },
      { method: 'PATCH', path: '/rooms/none', body: {} },
      { method: 'GET', path: '/rooms?limit=1' },
      { method: 'GET', path: '/rooms?limit=0' },
      { method: 'GET', path: '/rooms?status=scheduled&search=geo' },
      { method: 'GET', path: '/rooms/lesson-1/status' },
      { method: 'GET', path: '/rooms/none/status' },
      { method: 'DELETE', path: '/rooms/lesson-1' },
      { method: 'GET', path: '/nothing' },
    ]
    const webhook: Step[] = [
      { method: 'GET', path: '/webhook' },
      { method: 'POST', path: '/webhook/test' },
      { method: 'PUT', path: '/webhook', body: { url: 'nowhere', secret: 'a secret of some length' } },
      { method: 'PUT', path: '/webhook', body: { url: `${receiver.url}`, secret: 'short' } },
      { method: 'PUT', path: '/webhook', body: { url: receiver.url, secret: 'a secret of some length' } },
      { method: 'GET', path: '/webhook' },
      { method: 'POST', path: '/webhook/rotate', body: { secret: 'another secret of some length' } },
      { method: 'POST', path: '/webhook/rotate', body: { secret: 'a third secret of some length' } },
      { method: 'POST', path: '/webhook/rotate/finish' },
      { method: 'GET', path: '/webhook/deliveries' },
      { method: 'GET', path: '/webhook/deliveries/wh_0' },
      { method: 'POST', path: '/webhook/deliveries/wh_0/replay' },
      { method: 'PUT', path: '/webhook', body: { enabled: false } },
      { method: 'POST', path: '/webhook/test' },
      { method: 'DELETE', path: '/webhook' },
    ]
    const recorded: string[] = []
    for (const step of [...rooms, ...webhook]) recorded.push(await record(step))

    const { teacher_join_url, student_join_url } = (await partner.get('lesson-1')).body
    const token = (url: string) => url.slice(url.lastIndexOf('/') + 1)
    const links = [token(teacher_join_url), token(student_join_url), 'AQAAAAABbroken']
    for (const link of links)
      for (const method of ['GET', 'POST']) recorded.push(await record({ method, path: `/join/${link}` }))
    for (const path of ['close', 'cancel']) {
      recorded.push(await record({ method: 'POST', path: `/rooms/lesson-1/${path}` }))
      recorded.push(await record({ method: 'GET', path: `/join/${links[0]}` }))
    }
    await partner.patch('lesson-2', { teacher: { external_id: 't-1' } })
    recorded.push(await record({ method: 'POST', path: '/rooms/none/close' }))
    await expect(
      `${recorded.join('\n\n').replace(/\/join\/[\w-]{20,}/g, '/join/<link>')}\n`,
    ).toMatchFileSnapshot('golden/v1-responses.txt')
  })

  it('sends its events as it always has', async () => {
    const partners = await openPartners()
    const log = createLog('silent')
    const deliveries = new Deliveries({ ...partners, allowInsecure: true, log })
    try {
      await partners.add('school', 1, { url: receiver.url })
      receiver.received.length = 0
      deliveries.start()
      const run = {
        jobId: 'job_1',
        conferenceTag: 'room-1',
        conferenceSessionId: 7,
        status: 'completed',
        startedAtMs: 1,
        endedAtMs: 2,
        indexedAt: 3,
      }
      const file = {
        path: 'recording.mkv',
        blobId: 'b_1',
        size: 5,
        contentType: 'video/x-matroska',
        sha256: '00',
      }
      const recording = { ...run, ownerId: 1, profile: 'consolidated_native', durationMs: 1, outputDir: 'd' }
      await deliveries.emit('room-1', recordingReady({ ...recording, files: [file], artifact: {} }))
      const speaker = { client_id: 9, device_id: 1, name: 'Anna' }
      const segment = { seq: 1, at: 2, speaker, text: 'Hello', partial: false }
      const transcript = {
        ...run,
        language: 'en',
        engine: 'e',
        reason: 'stopped',
        text: 'Hello',
        segments: [segment],
      }
      await deliveries.emit('room-1', transcriptionReady(transcript))
      await vi.waitFor(() => expect(receiver.received).toHaveLength(2), { timeout: 100_000 })
      const shown = receiver.received
        .map(({ headers, body }) => {
          const names = Object.keys(headers).filter(name => name !== 'host')
          const values: Record<string, unknown> = {
            ...headers,
            'x-service-signature': 'sha256=<mac>',
            'content-length': '<length>',
          }
          return [...names.map(name => `${name}: ${values[name]}`), body].join('\n')
        })
        .sort((a, b) => Number(a.includes('transcription.ready')) - Number(b.includes('transcription.ready')))
      await expect(`${normalize(shown.join('\n\n'))}\n`).toMatchFileSnapshot('golden/v1-events.txt')
    } finally {
      await deliveries.stop()
      await partners.close()
    }
  })
})
