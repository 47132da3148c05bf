import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Partner } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let school: Partner
beforeAll(async () => {
  server = await startTestServer()
  school = await server.addPartner('school')
})
afterAll(() => server.close())

const act = (id: string, verb: string) => school.call('POST', `/rooms/${id}/${verb}`)
const status = (id: string) => school.call('GET', `/rooms/${id}/status`)

describe('cancel, close and status', () => {
  it('begin with the status scheduled', async () => {
    const room = await school.room('a')
    expect(await status('a')).toMatchObject({
      status: 200,
      body: { ...room, status: 'scheduled', stored_status: 'scheduled', live: false },
    })
  })

  it.each([
    ['cancel', 'cancelled'],
    ['close', 'closed'],
  ])('return the room after %s with the status %s, each time (HOSTED-5, API-8)', async (verb, expected) => {
    const room = await school.room(`b-${verb}`)
    for (const _ of [1, 2]) {
      const answer = await act(`b-${verb}`, verb)
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({ ...room, status: expected })
    }
    expect((await school.get(`b-${verb}`)).body).toEqual({ ...room, status: expected })
    expect((await status(`b-${verb}`)).body).toEqual({
      ...room,
      status: expected,
      stored_status: expected,
      live: false,
    })
  })

  it('may follow in any order; the last one applies (HOSTED-5)', async () => {
    await school.room('c')
    for (const [verb, expected] of [
      ['cancel', 'cancelled'],
      ['close', 'closed'],
      ['cancel', 'cancelled'],
    ] as const)
      expect((await act('c', verb)).body.status).toBe(expected)
  })

  it('require no body, and accept one that is empty, null or an object', async () => {
    await school.room('d')
    for (const options of [{}, { raw: '' }, { body: {} }, { body: null }, { body: { reason: 'x' } }])
      for (const verb of ['cancel', 'close'])
        expect((await school.call('POST', `/rooms/d/${verb}`, options)).status).toBe(200)
  })

  it('answer 404 for an unknown room', async () => {
    expect(await act('none', 'cancel')).toEqual(refused(404, 'room_not_found'))
    expect(await act('none', 'close')).toEqual(refused(404, 'room_not_found'))
    expect(await status('none')).toEqual(refused(404, 'room_not_found'))
    expect(await school.get('none')).toEqual(refused(404, 'room_not_found'))
  })

  it('are not undone by another PUT', async () => {
    await school.room('e')
    await act('e', 'close')
    await school.put('e', { title: 'Again' })
    expect((await status('e')).body).toMatchObject({ stored_status: 'closed', title: 'e' })
  })
})
