import { describe, expect, it } from 'vitest'
import { LOGIN_FRAME_BYTES_MAX, parseLogin, parseRequest } from './index.ts'

const client = { name: 'web', version: '0.1.0', platform: 'web' }
const login = (more: object) => JSON.stringify({ login: { access_token: 'a.b.c', client, ...more } })
const limits = { maxFrameBytes: 262_144 }

describe('parseLogin', () => {
  it('returns the content of a login', () => {
    expect(parseLogin(login({ join_token: 'j' }))).toMatchObject({ ok: true, login: { join_token: 'j' } })
  })

  it('L1 closes the connection for anything other than a login', () => {
    expect(parseLogin('{"control_sync":{}}')).toMatchObject({ code: 'unauthenticated', close: true })
    expect(parseLogin('{')).toMatchObject({ code: 'invalid_argument', close: true })
    const large = login({ access_token: 'x'.repeat(LOGIN_FRAME_BYTES_MAX) })
    expect(parseLogin(large)).toMatchObject({ code: 'resource_exhausted', close: true })
  })

  it('L2 answers an invalid login before closing', () => {
    expect(parseLogin(login({ more: 1 }))).toMatchObject({ code: 'invalid_argument', close: false })
  })

  it('L3 rejects an offer of unsupported protocols with protocol_unsupported', () => {
    const protocol_offer = { versions: [3], require_version: 3, profiles: ['svc.control.v3.core'] }
    expect(parseLogin(login({ protocol_offer }))).toMatchObject({
      code: 'protocol_unsupported',
      close: false,
    })
  })
})

describe('parseRequest', () => {
  it('V1 closes the connection when a request has no readable id', () => {
    for (const text of ['{', '[]', '{"command":"a","params":{}}', '{"id":1,"command":"a","params":{}}'])
      expect(parseRequest(text, limits)).toMatchObject({ ok: false, close: true })
  })

  it('V2 answers otherwise invalid requests', () => {
    const wrong = parseRequest('{"id":"7","command":"chat.send","params":null}', limits)
    expect(wrong).toMatchObject({ code: 'invalid_argument', close: false, id: '7' })
  })
})
