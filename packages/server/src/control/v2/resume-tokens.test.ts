import { describe, expect, it } from 'vitest'
import { type ResumeSubject, ResumeTokens } from './resume-tokens.ts'

const DAY_MS = 24 * 3_600_000
const key = Buffer.from('the key of this installation')
const subject: ResumeSubject = {
  userId: 7,
  instanceId: 'tab-1',
  binding: {
    deployment_id: 'd.1',
    tenant_id: 'default',
    logical_connection_id: 'c.1',
    binding_generation: '3',
  },
}

function create() {
  const state = { now: 1_700_000_000_000 }
  return { state, tokens: new ResumeTokens({ keys: () => [key], clock: () => state.now }) }
}

describe('resume tokens', () => {
  it('Y13 are genuine on every server with the same key, for a day', () => {
    const { state, tokens } = create()
    const token = create().tokens.issue(subject)
    expect(token.length).toBeGreaterThanOrEqual(32)
    expect(tokens.isGenuine(token, subject)).toBe(true)
    state.now += DAY_MS - 1
    expect(tokens.isGenuine(token, subject)).toBe(true)
    state.now += 1
    expect(tokens.isGenuine(token, subject)).toBe(false)
  })

  it('Y13 are refused for another account, instance, connection, generation and installation', () => {
    const { tokens } = create()
    const token = tokens.issue(subject)
    const { binding } = subject
    const others: ResumeSubject[] = [
      { ...subject, userId: 8 },
      { ...subject, instanceId: 'tab-2' },
      ...(['deployment_id', 'tenant_id', 'logical_connection_id', 'binding_generation'] as const).map(
        name => ({ ...subject, binding: { ...binding, [name]: '4' } }),
      ),
    ]
    for (const other of others) expect(tokens.isGenuine(token, other)).toBe(false)
  })

  it('Y13 are refused when they are forged, changed or cut', () => {
    const { state, tokens } = create()
    const token = tokens.issue(subject)
    const [expiresAtMs = '', signature = ''] = token.split('.')
    const foreign = new ResumeTokens({
      keys: () => [Buffer.from('another key')],
      clock: () => state.now,
    }).issue(subject)
    const forged = [
      foreign,
      `${Number(expiresAtMs) + 1}.${signature}`,
      `${expiresAtMs}.${signature.slice(1)}`,
      `${expiresAtMs}.`,
      `${token}.${signature}`,
      signature,
      '.',
      '',
      'x'.repeat(4096),
    ]
    for (const each of forged) expect(tokens.isGenuine(each, subject), each).toBe(false)
  })
})
