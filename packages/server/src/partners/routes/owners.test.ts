import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Partner, roomOf } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let school: Partner
let secondOfSchool: Partner
let clinic: Partner
beforeAll(async () => {
  server = await startTestServer()
  school = await server.addPartner('school')
  secondOfSchool = await server.addPartner('school-2', { user: 'school-robot' })
  clinic = await server.addPartner('clinic')
})
afterAll(() => server.close())

describe('rooms', () => {
  it('are not visible to the service account of another user (TOKEN-6)', async () => {
    const room = await school.room('private')
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['POST', '/cancel'],
      ['POST', '/close'],
      ['GET', '/status'],
    ] as const)
      expect(await clinic.call(method, `/rooms/private${path}`)).toEqual(refused(404, 'room_not_found'))
    expect((await school.get('private')).body).toEqual(room)
  })

  it('of two owners may have the same external id', async () => {
    const [ours, theirs] = [await school.room('same', { title: 'Ours' }), await clinic.room('same')]
    expect(theirs.tag).not.toBe(ours.tag)
    expect(theirs.title).toBe('same')
    await clinic.call('POST', '/rooms/same/close')
    expect((await school.get('same')).body).toEqual(ours)
  })

  it('are shared by the service accounts of one user (TOKEN-6)', async () => {
    const room = await school.room('shared')
    expect(roomOf((await secondOfSchool.put('shared')).body)).toEqual(room)
    await secondOfSchool.patch('shared', { title: 'Changed' })
    expect((await school.get('shared')).body.title).toBe('Changed')
  })
})

describe('webhook configurations', () => {
  it('belong to one service account, also if two share a user', async () => {
    const body = { url: 'https://1.1.1.1/hook', secret: 'a secret of some length' }
    await school.call('PUT', '/webhook', { body })
    expect((await secondOfSchool.call('GET', '/webhook')).body.configured).toBe(false)
    expect((await clinic.call('GET', '/webhook')).body.configured).toBe(false)
  })
})
