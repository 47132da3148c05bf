import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { serve } from '../api/testing.ts'
import { resolveConference, resolveLink } from './resolve.ts'
import { aConference, aJoin } from './testing.ts'

const TOKEN = 'T'.repeat(43)

let close = async () => {}
afterEach(() => close())

let requests: string[] = []

async function serving(status: number, body: unknown, headers = {}) {
  requests = []
  const listener: RequestListener = (request, response) => {
    requests.push(request.url ?? '')
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  const server = await serve(listener)
  close = server.close
  return server.api
}

const refusal = (result: number, code: string) => ({ result, code, message: 'No.' })

describe('resolveLink', () => {
  it('opens an invitation', async () => {
    const api = await serving(200, aJoin())
    expect(await resolveLink(api, TOKEN)).toMatchObject({ is: 'open', invitation: { title: 'Algebra' } })
    expect(requests).toEqual([`/api/v1/integration/join/${TOKEN}`])
  })

  it.each([
    [401, 'link_invalid', 'link_foreign'],
    [403, 'link_rotated', 'link_rotated'],
    [403, 'room_closed', 'room_closed'],
    [403, 'room_cancelled', 'room_cancelled'],
    [404, 'room_not_found', 'room_not_found'],
    [404, 'not_found', 'links_off'],
    [403, 'permission_denied', 'unknown'],
    [418, 'teapot', 'unknown'],
  ])('reads %i %s as %s', async (status, code, reason) => {
    const api = await serving(status, refusal(status, code))
    expect(await resolveLink(api, TOKEN)).toEqual({ is: 'refused', reason, code })
  })

  it('waits until a room opens', async () => {
    const api = await serving(403, refusal(403, 'room_not_open'), { 'retry-after': '90' })
    const expected = { is: 'problem', problem: 'not_open', retryAfterMs: 90_000 }
    expect(await resolveLink(api, TOKEN)).toEqual(expected)
    expect(await resolveConference(api, 'quiet-fox')).toEqual(expected)
  })

  it('refuses a truncated or mistyped token without a request', async () => {
    const api = await serving(200, aJoin())
    for (const token of [
      '',
      'short',
      'T'.repeat(1025),
      `${TOKEN}.`,
      `${TOKEN}%20`,
      `${TOKEN}/x`,
      '../rooms/1',
    ])
      expect(await resolveLink(api, token)).toMatchObject({ is: 'refused', reason: 'link_incomplete' })
    expect(requests).toEqual([])
  })

  it('waits as long as the server requests after too many attempts', async () => {
    const api = await serving(429, refusal(429, 'rate_limited'), { 'retry-after': '30' })
    expect(await resolveLink(api, TOKEN)).toEqual({
      is: 'problem',
      problem: 'rate_limited',
      retryAfterMs: 30_000,
    })
  })

  it('treats server errors as temporary, even from a proxy', async () => {
    const failing = { is: 'problem', problem: 'failing' }
    expect(await resolveLink(await serving(500, refusal(500, 'internal')), TOKEN)).toMatchObject(failing)
    await close()
    expect(await resolveLink(await serving(502, '<h1>Bad gateway</h1>'), TOKEN)).toMatchObject(failing)
  })

  it('treats a success with another body as a network that intercepts requests', async () => {
    const api = await serving(200, '<h1>Hotel Wi-Fi: sign in</h1>')
    expect(await resolveLink(api, TOKEN)).toMatchObject({ is: 'problem', problem: 'unreachable' })
  })
})

describe('resolveConference', () => {
  it('opens an invitation without an invitee', async () => {
    const api = await serving(200, aConference())
    expect(await resolveConference(api, 'тихая лиса')).toMatchObject({
      is: 'open',
      invitation: { invitee: null },
    })
    expect(requests.sort()).toEqual([
      `/api/v1.0/conferences/${encodeURIComponent('тихая лиса')}`,
      '/api/v1.0/server_info',
    ])
  })

  it.each([
    [404, 'conference_not_found', 'conference_not_found'],
    [400, 'invalid_argument', 'conference_not_found'],
    [403, 'room_closed', 'room_closed'],
    [403, 'room_cancelled', 'room_cancelled'],
    [403, 'plain_link_closed', 'plain_link_closed'],
    [404, 'not_found', 'unknown'],
  ])('reads %i %s as %s', async (status, code, reason) => {
    const api = await serving(status, refusal(status, code))
    expect(await resolveConference(api, 'quiet-fox')).toEqual({ is: 'refused', reason, code })
  })
})
