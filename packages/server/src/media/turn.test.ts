import { describe, expect, it } from 'vitest'
import { iceServers, turnCredentials } from './turn.ts'

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
    const { ice_servers, ice_servers_ttl_ms } = iceServers(turn, '7', 1_000_000)
    expect(ice_servers_ttl_ms).toBe(6 * 3600 * 1000)
    expect(ice_servers).toEqual([{ urls: turn.urls, ...turnCredentials('north', '7', 1000 + 6 * 3600) }])
  })

  it('are omitted without servers or without the secret', () => {
    expect(iceServers({ ...turn, urls: [] }, '7', 0)).toEqual({ ice_servers: [] })
    expect(iceServers({ ...turn, secret: '' }, '7', 0)).toEqual({ ice_servers: [] })
  })
})
