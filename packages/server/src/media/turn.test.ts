import { describe, expect, it } from 'vitest'
import { turnAccess, turnCredentials } from './turn.ts'

const turn = { urls: ['turn:turn.example.org:3478'], secret: 'north' }

describe('TURN credentials', () => {
  it('consist of the user and an expiry, signed as coturn does', () => {
    // printf '1433895918:alice' | openssl dgst -sha1 -hmac north -binary | base64
    expect(turnCredentials('north', 'alice', 1_433_895_918)).toEqual({
      username: '1433895918:alice',
      credential: 'RqMvcGPYTJMGThVLSi4amT4zFtI=',
    })
  })

  it('are valid for six hours and report that', () => {
    expect(turnAccess(turn, '7', 1_000_000)).toEqual({
      servers: [{ urls: turn.urls, ...turnCredentials('north', '7', 1000 + 6 * 3600) }],
      ttlMs: 6 * 3600 * 1000,
    })
  })

  it('are omitted without servers or without the secret', () => {
    expect(turnAccess({ ...turn, urls: [] }, '7', 0)).toBeNull()
    expect(turnAccess({ ...turn, secret: '' }, '7', 0)).toBeNull()
  })
})
