import { describe, expect, it } from 'vitest'
import { knownShareProblem, readShareProblem } from './share-problem.ts'

const fine = { supported: true, secure: true, delegated: true }
const refused = (message: string) => new DOMException(message, 'NotAllowedError')

describe('knownShareProblem', () => {
  it('detects problems without an attempt', () => {
    expect(knownShareProblem(fine)).toBeNull()
    expect(knownShareProblem({ ...fine, supported: false })).toBe('unsupported')
    expect(knownShareProblem({ ...fine, supported: false, secure: false })).toBe('insecure')
    expect(knownShareProblem({ ...fine, delegated: false })).toBe('refused_by_frame')
  })
})

describe('readShareProblem', () => {
  it('treats a closed dialog as no problem', () => {
    expect(readShareProblem(refused('Permission denied'), 1_000)).toBeNull()
    expect(readShareProblem(new DOMException('', 'AbortError'), 1_000)).toBeNull()
  })

  it('distinguishes the system, a browser without a prompt, and other causes', () => {
    expect(readShareProblem(refused('Permission denied by system'), 1_000)).toBe('refused_by_system')
    expect(readShareProblem(refused('Permission denied'), 5)).toBe('blocked')
    expect(readShareProblem(new DOMException('', 'NotReadableError'), 1_000)).toBe('failed')
    expect(readShareProblem('what', 1_000)).toBe('failed')
  })
})
