import { beforeEach, describe, expect, it } from 'vitest'
import type { ApiRequest, ApiResponse } from '../../api/api.ts'
import { Conferences } from './conferences.ts'

const own = (tag: string, title = tag, entry = 'open') => ({
  result: 200,
  tag,
  title,
  created_at_ms: 5,
  live: false,
  join_url: `https://meet.example/conferences/${tag}`,
  entry,
})
const ok = (body: unknown): ApiResponse => ({ is: 'ok', body })
const refused = (code: string): ApiResponse => ({ is: 'refused', status: 404, code, retryAfterMs: null })

describe('Conferences', () => {
  let requests: Omit<ApiRequest, 'token'>[]
  let responses: (ApiResponse | Promise<ApiResponse>)[]
  let conferences: Conferences
  const titles = () => {
    const state = conferences.get()
    return state.is === 'known' ? state.list.map(({ title }) => title) : state.is
  }

  beforeEach(async () => {
    requests = []
    responses = [ok({ conferences: [own('b'), own('a')] })]
    conferences = new Conferences({
      request: async question => {
        requests.push(question)
        return (await responses.shift()) ?? { is: 'unreachable' }
      },
    })
    await conferences.load()
  })

  it("are listed in the server's order", () => {
    expect(titles()).toEqual(['b', 'a'])
  })

  it('are created, renamed and deleted', async () => {
    responses = [ok(own('c', 'new')), ok(own('a', 'renamed')), ok({ result: 200 })]
    expect(await conferences.create('new', 'open')).toMatchObject({ tag: 'c', link: own('c').join_url })
    expect(await conferences.rename('a', 'renamed')).toBe(true)
    expect(await conferences.remove('b')).toBe(true)
    expect(titles()).toEqual(['new', 'renamed'])
    expect(requests.slice(1)).toEqual([
      { method: 'POST', path: '/api/v1.0/conferences', body: { title: 'new', entry: 'open' } },
      { method: 'PATCH', path: '/api/v1.0/conferences/a', body: { title: 'renamed' } },
      { method: 'DELETE', path: '/api/v1.0/conferences/b' },
    ])
  })

  it('have a lobby or none, from the start or by a later change', async () => {
    responses = [ok(own('c', 'c', 'lobby')), ok(own('a', 'a', 'lobby')), ok(own('c')), { is: 'unreachable' }]
    expect(await conferences.create('', 'lobby')).toMatchObject({ tag: 'c', entry: 'lobby' })
    expect(await conferences.setEntry('a', 'lobby')).toBe(true)
    expect(await conferences.setEntry('c', 'open')).toBe(true)
    expect(await conferences.setEntry('b', 'lobby')).toBe(false)
    expect(conferences.get()).toMatchObject({
      list: [
        { tag: 'c', entry: 'open' },
        { tag: 'b', entry: 'open' },
        { tag: 'a', entry: 'lobby' },
      ],
    })
    expect(requests.slice(1, 3)).toEqual([
      { method: 'POST', path: '/api/v1.0/conferences', body: { entry: 'lobby' } },
      { method: 'PATCH', path: '/api/v1.0/conferences/a', body: { entry: 'lobby' } },
    ])
  })

  it('are planned, and not any more', async () => {
    const times = { starts_at: '2030-09-01T10:00:00.000Z', ends_at: null }
    responses = [ok({ ...own('a'), ...times }), ok(own('a'))]
    expect(await conferences.plan('a', times.starts_at, null)).toBe(true)
    const startsAt = Date.parse(times.starts_at)
    expect(conferences.get()).toMatchObject({
      list: [
        { tag: 'b', startsAt: null },
        { startsAt, endsAt: null },
      ],
    })
    expect(await conferences.plan('a', null, null)).toBe(true)
    expect(requests.slice(1).map(({ body }) => body)).toEqual([times, { starts_at: null, ends_at: null }])
  })

  it('stay as they were when a change fails, but disappear when they are already deleted', async () => {
    responses = [{ is: 'unreachable' }, refused('permission_denied'), refused('conference_not_found')]
    expect(await conferences.create('new', 'open')).toBeNull()
    expect(await conferences.rename('a', 'renamed')).toBe(false)
    expect(await conferences.remove('b')).toBe(true)
    expect(titles()).toEqual(['a'])
  })

  it('stay listed and become stale while the server cannot be reached', async () => {
    await conferences.load()
    expect(conferences.get()).toMatchObject({ is: 'known', stale: true, list: [{ tag: 'b' }, { tag: 'a' }] })
  })

  it('are not restored by a request that started before a change', async () => {
    let resolveFirst: (answer: ApiResponse) => void = () => {}
    responses = [new Promise(resolve => (resolveFirst = resolve)), ok({ result: 200 })]
    const load = conferences.load()
    await conferences.remove('b')
    resolveFirst(ok({ conferences: [own('b'), own('a')] }))
    await load
    expect(titles()).toEqual(['a'])
  })
})
