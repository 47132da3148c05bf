import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Partner, roomOf } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let school: Partner
beforeAll(async () => {
  server = await startTestServer()
  school = await server.addPartner('school')
})
afterAll(() => server.close())

describe('external_id', () => {
  it.each([
    ['255 letters', 'x'.repeat(255)],
    ['255 letters of two bytes', 'ж'.repeat(255)],
    ['255 emoji, each two UTF-16 units', '👋'.repeat(255)],
    ['a slash', 'a/b'],
    ['a value that resembles another route', 'a/cancel'],
    ['a question mark, a hash and a percent sign', '?a#b%'],
    ['a percent-encoding of its own', 'a%2Fb'],
    ['spaces around', ' a '],
    ['three dots', '...'],
    ['a path of dots', '../x'],
    ['a leading dot', '.a'],
    ['a plus and semicolons', 'a+b;c=d'],
    ['quotes', `'"; DROP TABLE rooms; --`],
    ['a colon and an asterisk', ':id*'],
    ['a newline', 'a\nb'],
    ['__proto__', '__proto__'],
    ['a backslash', 'a\\b'],
  ])('may contain %s (HOSTED-1, API-6)', async (_, id) => {
    const { status: code, body } = await school.put(id)
    expect(code).toBe(200)
    expect(body).toMatchObject({ external_id: id, title: id })
    expect((await school.get(id)).body).toEqual(roomOf(body))
    const { body: status } = await school.call('GET', `/rooms/${encodeURIComponent(id)}/status`)
    expect(status).toMatchObject(roomOf(body))
  })

  it.each([
    ['256 letters', 'x'.repeat(256)],
    ['256 emoji', '👋'.repeat(256)],
    ['NUL', 'a%00b'],
    ['a dot', '.'],
    ['two dots', '..'],
    ['an encoded dot', '%2e'],
    ['two encoded dots', '%2e%2E'],
    ['a mixture of dots', '.%2e'],
    ['nothing', ''],
  ])('must not be %s (HOSTED-1)', async (_, id) => {
    const segment = id.includes('%') ? id : /^\.*$/.test(id) ? id : encodeURIComponent(id)
    for (const [method, suffix] of [
      ['PUT', ''],
      ['GET', ''],
      ['PATCH', ''],
      ['POST', '/cancel'],
      ['POST', '/close'],
      ['GET', '/status'],
    ] as const)
      expect(await school.call(method, `/rooms/${segment}${suffix}`), `${method} ${suffix}`).toEqual(
        refused(400, 'invalid_argument', expect.stringMatching(/^external_id must /)),
      )
  })

  it.each(['%', '%zz', '%ff', '%c3%28', '%ed%a0%80'])(
    'must be UTF-8 in valid percent-encoding: %s',
    async id => {
      expect(await school.call('PUT', `/rooms/${id}`)).toEqual(refused(400, 'invalid_argument'))
    },
  )

  it('is the same in every percent-encoding', async () => {
    const room = await school.room('abc-1')
    expect((await school.call('GET', '/rooms/%61bc%2d1')).body).toEqual(room)
    expect((await school.call('GET', '/rooms/abc-1?x=1')).body).toEqual(room)
  })

  it('distinguishes case, spaces and Unicode normalization forms (API-6)', async () => {
    const ids = ['Case', 'case', 'case ', ' case', 'caf\u00e9', 'cafe\u0301']
    const rooms = await Promise.all(ids.map(id => school.room(id)))
    expect(new Set(rooms.map(room => room.tag)).size).toBe(ids.length)
  })
})
