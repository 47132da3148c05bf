import type { Role } from '@lectern/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Keys } from '../../accounts/keys.ts'
import { enterLink, type Partner, resolveLink, roomOf, tokenOf } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { Links } from '../links.ts'

let server: TestServer
let school: Partner
beforeAll(async () => {
  server = await startTestServer()
  school = await server.addPartner('school')
})
afterAll(() => server.close())

let rooms = 0
async function newRoom(body: unknown = { teacher: { external_id: 't' }, student: { external_id: 's' } }) {
  const id = `lesson-${++rooms}`
  return { id, room: await school.room(id, body) }
}
const resolve = (joinUrl: string) => resolveLink(server.call, joinUrl)

describe('signed links', () => {
  it('are the same in every response', async () => {
    const { id, room } = await newRoom()
    for (const again of [await school.get(id), await school.patch(id, {})]) expect(again.body).toEqual(room)
    expect(roomOf((await school.put(id)).body)).toEqual(room)
  })

  it('do not change with title, names, times or status (HOSTED-3, LINK-7)', async () => {
    const { id, room } = await newRoom()
    const links = ({ teacher_join_url, student_join_url }: typeof room) => [
      teacher_join_url,
      student_join_url,
    ]
    for (const change of [
      { title: 'New' },
      { teacher: { display_name: 'New' }, student: { display_name: 'New' } },
      { teacher: { display_name: null } },
      { starts_at: '2026-09-01T10:00:00Z', ends_at: null, description: 'x' },
      { teacher: { external_id: 't', display_name: 'T' } },
    ])
      expect(links((await school.patch(id, change)).body), JSON.stringify(change)).toEqual(links(room))
    const { body } = await school.call('POST', `/rooms/${id}/cancel`)
    expect(links(body)).toEqual(links(room))
  })

  describe.each(['teacher', 'student'] as const)('of the %s', role => {
    const other: Role = role === 'teacher' ? 'student' : 'teacher'

    it.each([
      ['added', {}, 'new'],
      ['changed', { external_id: 'old' }, 'new'],
      ['removed', { external_id: 'old' }, null],
    ])(
      'rotate when the external id is %s, without changing the other link (HOSTED-4)',
      async (_, person, externalId) => {
        const { id, room } = await newRoom({ [role]: person, [other]: { external_id: 'other' } })
        const { body } = await school.patch(id, { [role]: { external_id: externalId } })
        expect(body[`${role}_join_url`]).not.toBe(room[`${role}_join_url`])
        expect(body[`${other}_join_url`]).toBe(room[`${other}_join_url`])
        expect(await resolve(room[`${role}_join_url`])).toEqual(refused(403, 'link_rotated'))
        expect(await enterLink(server.call, room[`${role}_join_url`])).toEqual(refused(403, 'link_rotated'))
        expect((await resolve(body[`${role}_join_url`])).status).toBe(200)
        expect((await resolve(room[`${other}_join_url`])).status).toBe(200)
      },
    )

    it('rotate when the person is removed', async () => {
      const { id, room } = await newRoom()
      await school.patch(id, { [role]: null })
      expect(await resolve(room[`${role}_join_url`])).toEqual(refused(403, 'link_rotated'))
    })

    it('remain revoked, even if the external id changes back (LINK-6)', async () => {
      const { id } = await newRoom()
      const seen: string[] = []
      for (const externalId of ['a', 'b', 'a', null, 'a', 'b']) {
        const { body } = await school.patch(id, { [role]: { external_id: externalId } })
        seen.push(body[`${role}_join_url`])
      }
      expect(new Set(seen).size).toBe(seen.length)
      const statuses = await Promise.all(seen.map(async link => (await resolve(link)).status))
      expect(statuses).toEqual([403, 403, 403, 403, 403, 200])
    })

    it('are not valid for another room (LINK-1)', async () => {
      const [one, two] = [await newRoom(), await newRoom()]
      expect((await resolve(one.room[`${role}_join_url`])).body.tag).toBe(one.room.tag)
      expect(one.room[`${role}_join_url`]).not.toBe(two.room[`${role}_join_url`])
    })
  })

  it.each([
    ['close', 'room_closed'],
    ['cancel', 'room_cancelled'],
  ] as const)('are invalid after %s', async (verb, code) => {
    const { id, room } = await newRoom()
    await school.call('POST', `/rooms/${id}/${verb}`)
    for (const link of [room.teacher_join_url, room.student_join_url]) {
      expect(await resolve(link)).toEqual(refused(403, code))
      expect(await enterLink(server.call, link)).toEqual(refused(403, code))
    }
    expect(await server.call('GET', `/api/v1.0/conferences/${room.tag}`)).toEqual(refused(403, code))
  })

  it('that were replaced reveal nothing about a closed room', async () => {
    const { id, room } = await newRoom()
    await school.patch(id, { teacher: null })
    await school.call('POST', `/rooms/${id}/close`)
    expect(await resolve(room.teacher_join_url)).toEqual(refused(403, 'link_rotated'))
  })

  it('that are truncated, mistyped or forged are refused alike by both methods', async () => {
    const token = tokenOf((await newRoom()).room.teacher_join_url)
    for (const wrong of [
      token.slice(0, -1),
      token.slice(1),
      `${token}A`,
      `${token}%3D`,
      `${token}%00`,
      `${token.slice(0, 10)}%20${token.slice(10)}`,
      token.toUpperCase(),
      'x',
      '..',
      '%2e',
      'a'.repeat(64),
      'a'.repeat(1025),
      '%F0%9F%91%8B',
    ])
      for (const method of ['GET', 'POST'])
        expect(await server.call(method, `/api/v1/integration/join/${wrong}`), wrong).toEqual(
          refused(401, 'link_invalid'),
        )
  })

  it.each(['_', '-', '__', '-_'])('open with markup that was copied with them: %s', async markup => {
    const { room } = await newRoom({ teacher: { display_name: 'Anna' } })
    expect((await resolve(`/${tokenOf(room.teacher_join_url)}${markup}`)).body.role).toBe('teacher')
  })

  it('are refused when any byte is changed', async () => {
    const { room } = await newRoom({ teacher: { display_name: 'Ä' } })
    const bytes = Buffer.from(tokenOf(room.teacher_join_url), 'base64url')
    for (const index of bytes.keys())
      for (const mask of [1, 0x80, 0xff]) {
        const changed = Buffer.from(bytes)
        changed[index] = (changed[index] as number) ^ mask
        expect((await resolve(`/${changed.toString('base64url')}`)).status, `byte ${index}`).toBe(401)
      }
  })

  it('get no other role from a query string, a header or a body (LINK-1)', async () => {
    const { room } = await newRoom()
    const token = tokenOf(room.student_join_url)
    const path = `/api/v1/integration/join/${token}`
    const answer = await server.call('GET', `${path}?role=teacher&moderator=1`, {
      headers: { 'x-role': 'teacher', cookie: 'role=teacher' },
    })
    expect(answer.body.role).toBe('student')
    const body = { role: 'teacher', external_id: 't', user_id: 1 }
    const student = await server.call('POST', `${path}?external_id=t`, { body })
    const teacher = await enterLink(server.call, room.teacher_join_url)
    expect(student.status).toBe(200)
    expect(student.body.user_id).not.toBe(teacher.body.user_id)
  })

  it('end in a letter or digit, because programs cut off a "-" or "_"', () => {
    const links = new Links(new Keys('a secret'))
    for (let version = 1; version <= 1_000; version++) {
      const claims = { tag: 'k7mq-x2wd9-rtnh', role: 'student', version, displayName: 'An' } as const
      const token = links.sign(claims)
      expect(token).toMatch(/[A-Za-z0-9]$/)
      expect(links.verify(token)).toEqual(claims)
    }
    const earlier = 'AQEAAAAFazdtcS14MndkOS1ydG5oQW5j5iIkXtz0jkNgJCZz6rh-'
    expect(links.verify(earlier).version).toBe(5)
    expect(() => links.verify(`${earlier}AAAA`)).toThrow()
  })

  it('of a server with another secret are refused', async () => {
    const { room } = await newRoom()
    const other = await startTestServer({ Server: { JwtSecret: 'another secret, long enough to be one' } })
    expect(await resolveLink(other.call, room.teacher_join_url)).toEqual(refused(401, 'link_invalid'))
    await other.close()
  })

  it('of unknown rooms are refused', async () => {
    const { room } = await newRoom()
    const empty = await startTestServer()
    expect(await resolveLink(empty.call, room.teacher_join_url)).toEqual(refused(404, 'room_not_found'))
    await empty.close()
  })
})
