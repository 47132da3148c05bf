import { describe, expect, it } from 'vitest'
import type { ApiResponse } from '../api/api.ts'
import { fetchFrameAncestors, isFrameAncestor } from './frame-ancestors.ts'

const OWN = 'https://meet.example.org'
const matches = (origin: string, ...sources: string[]) => isFrameAncestor(origin, sources, OWN)

describe('isFrameAncestor', () => {
  it('compares origins exactly', () => {
    expect(matches('https://portal.example', 'https://portal.example')).toBe(true)
    expect(matches('https://portal.example:8443', 'https://portal.example:8443')).toBe(true)
    expect(matches('https://portal.example', 'https://other.example', 'HTTPS://PORTAL.example')).toBe(true)
    for (const origin of [
      'https://portal.example:8443',
      'http://portal.example',
      'https://evil-portal.example',
      'https://portal.example.evil',
      'https://sub.portal.example',
      'null',
      '',
      'file://',
      'chrome-extension://portal.example',
    ])
      expect(matches(origin, 'https://portal.example'), origin).toBe(false)
  })

  it('supports wildcards of hosts and ports', () => {
    expect(matches('https://a.school.example', 'https://*.school.example')).toBe(true)
    expect(matches('https://a.b.school.example', 'https://*.school.example')).toBe(true)
    expect(matches('https://school.example', 'https://*.school.example')).toBe(false)
    expect(matches('https://evilschool.example', 'https://*.school.example')).toBe(false)
    expect(matches('http://127.0.0.1:4000', 'http://127.0.0.1:*')).toBe(true)
    expect(matches('http://[::1]:4000', 'http://[::1]:4000')).toBe(true)
  })

  it("supports schemes, *, 'self' and 'none'", () => {
    expect(matches('https://any.example', 'https:')).toBe(true)
    expect(matches('http://any.example', 'https:')).toBe(false)
    expect(matches('https://any.example', 'http:')).toBe(true)
    expect(matches('https://any.example', '*')).toBe(true)
    expect(matches('null', '*')).toBe(false)
    expect(matches(OWN, "'self'")).toBe(true)
    expect(matches('https://any.example', "'self'")).toBe(false)
    expect(matches(OWN, "'none'")).toBe(false)
    expect(matches(OWN)).toBe(false)
  })

  it('covers https with a source of http on its usual port', () => {
    expect(matches('https://portal.example', 'http://portal.example')).toBe(true)
    expect(matches('https://portal.example:8443', 'http://portal.example')).toBe(false)
  })
})

describe('fetchFrameAncestors', () => {
  it('asks until the server answers, with a pause after each failure', async () => {
    const answers: ApiResponse[] = [
      { is: 'unreachable' },
      { is: 'refused', status: 503, code: null, retryAfterMs: null },
      { is: 'ok', body: {} }, // of another program
      { is: 'ok', body: { frame_ancestors: ["'self'", 5] } },
    ]
    const pauses: number[] = []
    const api = { get: async () => answers.shift() as ApiResponse }
    expect(await fetchFrameAncestors(api, async ms => void pauses.push(ms))).toEqual(["'self'"])
    expect([pauses.length, answers.length]).toEqual([3, 0])
  })
})
