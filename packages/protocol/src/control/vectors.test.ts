import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import {
  acceptsTarget,
  type ClientSignalName,
  findBodyError,
  isCommandName,
  isSignalBody,
  parseFrame,
  parseLogin,
  parseRequest,
} from './index.ts'
import { inputOf, type VectorCase, type VectorFile, vectorFiles, vectorsScript } from './testing/vectors.ts'

type ParseOutcome = { valid: true } | { code: string; close: boolean }

const readers: Partial<
  Record<VectorFile['reader'], (input: string | Uint8Array, bytes: number) => ParseOutcome>
> = {
  control_v2: (input, maxFrameBytes) => outcomeOf(parseFrame(input, { maxFrameBytes })),
  login: input => outcomeOf(parseLogin(input)),
  v1_request: (input, maxFrameBytes) => outcomeOf(parseRequest(input, { maxFrameBytes })),
  command_body: (input, maxFrameBytes) => {
    const parsed = parseFrame(input, { maxFrameBytes })
    if (!parsed.ok || parsed.kind !== 'control_command') return { code: 'not a command', close: true }
    const { name, body, target } = parsed.frame.control_command
    if (!isCommandName(name)) return { code: 'unsupported_feature', close: false }
    return findBodyError(name, body) || !acceptsTarget(name, target.kind)
      ? { code: 'invalid_argument', close: false }
      : { valid: true }
  },
  signal_body: (input, maxFrameBytes) => {
    const parsed = parseFrame(input, { maxFrameBytes })
    if (!parsed.ok || parsed.kind !== 'control_signal') return { code: 'not a signal', close: true }
    const { name, body } = parsed.frame.control_signal
    return isSignalBody(name as ClientSignalName, body)
      ? { valid: true }
      : { code: 'invalid_argument', close: false }
  },
}

function outcomeOf(parsed: { ok: true } | { ok: false; code: string; close: boolean }): ParseOutcome {
  return parsed.ok ? { valid: true } : { code: parsed.code, close: parsed.close }
}

const expectation = (vector: VectorCase): ParseOutcome =>
  vector.valid ? { valid: true } : { code: vector.code, close: vector.close ?? false }

describe('conformance vectors', () => {
  it('match the tables that generate them', () => {
    expect(() => execFileSync(process.execPath, [vectorsScript, '--check'], { stdio: 'pipe' })).not.toThrow()
  })

  it('are numerous, with unique names per file', () => {
    const count = vectorFiles.reduce((sum, [, { cases }]) => sum + cases.length, 0)
    expect(count).toBeGreaterThan(300)
    for (const [, { cases }] of vectorFiles)
      expect(new Set(cases.map(each => each.name)).size).toBe(cases.length)
  })

  it('have valid and invalid cases of what each status and mode requires and forbids (ENV-1 to ENV-3)', () => {
    const verdicts = new Map<string, boolean>(
      vectorFiles.flatMap(([file, { cases }]) =>
        cases.map(each => [`${file.replace('.json', '')}: ${each.name}`, Boolean(each.valid)]),
      ),
    )
    const failed = ['rejected', 'apply_failed', 'outcome_unknown']
    const passed = ['received', 'committed', 'applied']
    const valid = [
      ...failed.map(status => `control_result: ${status} has an error`),
      ...passed.map(status => `control_result: ${status} has no error`),
      ...['fresh', 'resume', 'resync'].map(mode => `control_sync: ${mode}`),
    ]
    const invalid = [
      ...failed.map(status => `control_result: ${status} has no error`),
      ...passed.map(status => `control_result: ${status} has an error`),
      ...['a binding', 'a resume object', 'a cursor'].map(part => `control_sync: fresh with ${part}`),
      'control_sync: resume without a resume object',
      'control_sync: resume with a binding beside it',
      'control_sync: resync without a binding',
      'control_sync: resync with a resume object',
      ...['a binding', 'streams', 'a resume_token'].map(part => `control_sync_result: ready without ${part}`),
      'control_sync_result: ready with an error',
      ...['resume_rejected', 'retry_later'].flatMap(status => [
        `control_sync_result: ${status} without an error`,
        `control_sync_result: ${status} with streams`,
        `control_sync_result: ${status} with a resume_token`,
      ]),
    ]
    expect(valid.filter(name => verdicts.get(name) !== true)).toEqual([])
    expect(invalid.filter(name => verdicts.get(name) !== false)).toEqual([])
  })

  for (const [name, file] of vectorFiles) {
    const read = readers[file.reader]
    if (!read) continue
    it(`${name}: the codec matches every case`, () => {
      const disagreements = file.cases
        .map(each => ({
          name: each.name,
          expected: expectation(each),
          got: read(inputOf(each), each.max_frame_bytes ?? file.max_frame_bytes),
        }))
        .filter(({ expected, got }) => JSON.stringify(expected) !== JSON.stringify(got))
      expect(disagreements).toEqual([])
    })
  }
})
