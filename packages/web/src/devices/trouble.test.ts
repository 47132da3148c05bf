import { describe, expect, it } from 'vitest'
import { readTrouble } from './trouble.ts'

const context = { secure: true, delegated: true }
const error = (name: string, message = '') => new DOMException(message, name)

describe('readTrouble', () => {
  it.each([
    [error('NotAllowedError', 'Permission denied'), 'refused'],
    [error('NotAllowedError', 'Permission dismissed'), 'refused'],
    [error('NotAllowedError', 'Permission denied by system'), 'refused_by_system'],
    [error('NotFoundError'), 'missing'],
    [error('OverconstrainedError'), 'missing'],
    [error('NotReadableError', 'Could not start video source'), 'in_use'],
    [error('AbortError', 'Starting videoinput failed'), 'in_use'],
    [error('InvalidStateError'), 'failed'],
    ['a text', 'failed'],
  ])('reads %s as %s', (thrown, trouble) => {
    expect(readTrouble(thrown, context)).toBe(trouble)
  })

  it('detects a frame without permission and an insecure context', () => {
    expect(readTrouble(error('NotAllowedError'), { ...context, delegated: false })).toBe('refused_by_frame')
    expect(readTrouble(new TypeError('undefined'), { ...context, secure: false })).toBe('insecure')
  })
})
