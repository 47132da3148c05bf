import { describe, expect, it } from 'vitest'
import { DomainEvents } from './domain-events.ts'

function open() {
  const errors: object[] = []
  const events = new DomainEvents({ error: (fields: object) => void errors.push(fields) })
  return { events, errors }
}

describe('domain events', () => {
  it('reach all handlers of their name at once, in the order of subscription', () => {
    const { events } = open()
    const received: string[] = []
    events.subscribe('session-ended', ({ sessionId }) => void received.push(`first ${sessionId}`))
    events.subscribe('session-ended', ({ sessionId }) => void received.push(`second ${sessionId}`))
    events.subscribe('record-stored', () => void received.push('other'))
    events.publish('session-ended', { sessionId: 7 })
    expect(received).toEqual(['first 7', 'second 7'])
  })

  it('may have no handler', () => {
    expect(() => open().events.publish('record-stored', {})).not.toThrow()
  })

  it('isolate the publisher and other handlers from a failing handler, and log the failure', async () => {
    const { events, errors } = open()
    const received: number[] = []
    const failure = new Error('broken')
    events.subscribe('session-ended', () => {
      throw failure
    })
    events.subscribe('session-ended', () => Promise.reject(failure))
    events.subscribe('session-ended', ({ sessionId }) => void received.push(sessionId))
    events.publish('session-ended', { sessionId: 7 })
    await new Promise(setImmediate)
    expect(received).toEqual([7])
    const logged = { err: failure, event: 'session-ended' }
    expect(errors).toEqual([logged, logged])
  })
})
