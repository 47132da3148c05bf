import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Partner } from '../../testing/partner.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let school: Partner
beforeAll(async () => {
  server = await startTestServer()
  school = await server.addPartner('school')
})
afterAll(() => server.close())

describe('GET /server_info', () => {
  it('contains the version, the base path and the documented features', async () => {
    const { status, body } = await school.call('GET', '/server_info')
    expect(status).toBe(200)
    expect(body).toEqual({
      result: 200,
      api: { version: 'v1', base_path: '/api/v1/integration', features: expect.any(Array) },
      server: { name: 'Lectern', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
    })
    expect(body.api.features).toEqual([
      'rooms.idempotent_put',
      'rooms.status_polling',
      'signed_join_links',
      'signed_join_links.resolve',
      'signed_join_links.display_name',
      'signed_join_links.teacher_moderator',
      'rooms.partner_videoroom',
      'rooms.automatic_recording',
      'webhooks.recording_ready',
      'rooms.create_hints',
      'rooms.list',
      'webhooks.delete',
      'webhooks.test',
      'webhooks.deliveries',
      'webhooks.secret_rotation',
      'request_ids',
    ])
  })

  it('lists webhooks.transcription_ready only if a transcriber is configured', async () => {
    const features = async (partner: Partner) => (await partner.call('GET', '/server_info')).body.api.features
    const feature = 'webhooks.transcription_ready'
    expect(await features(school)).not.toContain(feature)
    // The account that an embedded transcriber of an earlier start has created.
    await server.operator.users.add('transcriber-embedded', {
      kind: 'worker',
      capabilities: ['jobs.transcriber'],
    })
    expect(await features(school)).not.toContain(feature)
    await server.operator.users.add('transcriber-1', { kind: 'worker', capabilities: ['jobs.transcriber'] })
    expect(await features(school)).toContain(feature)
    await server.operator.users.remove('transcriber-1')
    expect(await features(school)).not.toContain(feature)
  })
})
