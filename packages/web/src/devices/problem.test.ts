import { describe, expect, it } from 'vitest'
import { readProblem } from './problem.ts'

const context = { secure: true, delegated: true }
const error = (name: string, message = '') => new DOMException(message, name)

describe('readProblem', () => {
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
  ])('reads %s as %s', (thrown, problem) => {
    expect(readProblem(thrown, context)).toBe(problem)
  })

  it('detects a frame without permission and an insecure context', () => {
    expect(readProblem(error('NotAllowedError'), { ...context, delegated: false })).toBe('refused_by_frame')
    expect(readProblem(new TypeError('undefined'), { ...context, secure: false })).toBe('insecure')
  })
})
