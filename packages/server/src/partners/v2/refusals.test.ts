import { describe, expect, it } from 'vitest'
import { refused } from '../../testing/refused.ts'
import { useTwoPartners } from './testing/two-partners.ts'

const { opened, api, put } = useTwoPartners()

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
    await opened.school.call('POST', '/rooms/closed/close')
    await opened.school.call('POST', '/rooms/cancelled/cancel')
    const lease = await opened.calls.start((await put('after')).tag)
    await opened.calls.end(lease)
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
