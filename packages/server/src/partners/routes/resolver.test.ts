import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Partner, resolveLink, tokenOf } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let school: Partner
beforeAll(async () => {
  server = await startTestServer({ Integration: { PublicUrl: 'https://meet.example/' } })
  school = await server.addPartner('school')
})
afterAll(() => server.close())

const resolve = (joinUrl: string) => resolveLink(server.call, joinUrl)

describe('GET /join/<token>', () => {
  it('returns the documented fields and no other', async () => {
    const room = await school.room('full', {
      title: 'Algebra',
      starts_at: '2026-09-01T10:00:00+03:00',
      ends_at: '2026-09-01T11:00:00+03:00',
      description: 'Bring a ruler',
      teacher: { display_name: 'Ms T', external_id: 't-1' },
      student: { display_name: 'Sam' },
    })
    const shared = {
      result: 200,
      room_id: room.room_id,
      external_id: 'full',
      tag: room.tag,
      title: 'Algebra',
      starts_at: '2026-09-01T10:00:00+03:00',
      ends_at: '2026-09-01T11:00:00+03:00',
      status: 'scheduled',
      description: 'Bring a ruler',
      join_url: `https://meet.example/conferences/${room.tag}`,
      ui_profile: 'partner_videoroom',
      layout_mode: 'webinar',
      features: { main_navigation: false, chat: true, transcription: false, recording_controls: false },
      recording: { mode: 'automatic' },
    }
    const teacher = await resolve(room.teacher_join_url)
    expect(teacher.status).toBe(200)
    expect(teacher.body).toEqual({ ...shared, role: 'teacher', participant_auth: true, display_name: 'Ms T' })
    const student = await resolve(room.student_join_url)
    expect(student.body).toEqual({ ...shared, role: 'student', participant_auth: false, display_name: 'Sam' })
  })

  it('contains no signed link and not the token', async () => {
    const room = await school.room('secretive', { teacher: { external_id: 'secret-person' } })
    const text = JSON.stringify((await resolve(room.teacher_join_url)).body)
    for (const secret of [
      tokenOf(room.teacher_join_url),
      tokenOf(room.student_join_url),
      'secret-person',
      '/j/',
    ])
      expect(text).not.toContain(secret)
  })

  it('returns the current names (LINK-7)', async () => {
    const room = await school.room('renamed', { teacher: { display_name: 'Old' } })
    await school.patch('renamed', { title: 'New title', teacher: { display_name: 'New' } })
    expect((await resolve(room.teacher_join_url)).body).toMatchObject({
      title: 'New title',
      display_name: 'New',
    })
  })

  it('is public and ignores bearer tokens (TOKEN-2)', async () => {
    const room = await school.room('open')
    const path = `/api/v1/integration/join/${tokenOf(room.student_join_url)}`
    expect((await server.call('GET', path, { token: 'rubbish' })).status).toBe(200)
    expect((await server.call('GET', path, { token: school.token })).status).toBe(200)
  })

  it('starts links with PublicUrl', async () => {
    const room = await school.room('address')
    expect(room.teacher_join_url).toMatch(/^https:\/\/meet\.example\/j\/[\w-]+$/)
  })
})

describe('GET /api/v1.0/conferences/<tag>', () => {
  it('returns the public fields of a room', async () => {
    const room = await school.room('plain', { title: 'Plain', teacher: { display_name: 'T' } })
    const { status, body } = await server.call('GET', `/api/v1.0/conferences/${room.tag}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      result: 200,
      tag: room.tag,
      title: 'Plain',
      starts_at: null,
      ends_at: null,
      live: false,
      ui_profile: 'partner_videoroom',
      entry: 'lobby',
      recording: { mode: 'automatic' },
    })
  })

  it.each(['open', 'closed'] as const)('reflects PlainLink = %s', async plainLink => {
    const other = await startTestServer({ Integration: { Enabled: '1', PlainLink: plainLink } })
    const partner = await other.addPartner('school')
    const { tag } = await partner.room('plain')
    const answer = await other.call('GET', `/api/v1.0/conferences/${tag}`)
    if (plainLink === 'open') expect(answer.body.entry).toBe('open')
    else expect(answer).toEqual(refused(403, 'plain_link_closed'))
    await other.close()
  })

  it.each(['aaaa-bbbbb-cccc', 'x', '%00', '..'])('answers an error for %s', async tag => {
    const { status } = await server.call('GET', `/api/v1.0/conferences/${tag}`)
    expect([400, 404]).toContain(status)
    expect(await server.call('GET', '/api/v1.0/conferences/aaaa-bbbbb-cccc')).toEqual(
      refused(404, 'conference_not_found'),
    )
  })
})
