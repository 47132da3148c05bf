import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
// @ts-expect-error: a script without types
import { errorsDocument } from '../../scripts/errors-document.mjs'
import { type ErrorCode, errorOf, errors } from './catalogue.ts'
import { controlErrors } from './control-codes.ts'

const codes = Object.keys(errors) as ErrorCode[]

describe('the error catalogue', () => {
  it('generates docs/errors.md', () => {
    const written = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8')
    const hint = 'docs/errors.md is out of date; npm run docs -w @lectern/protocol generates it'
    expect(written, hint).toBe(errorsDocument(errors, controlErrors))
  })

  it('defines how a refusal is reported over HTTP, the control channel or both', () => {
    const unreported = codes.filter(code => errorOf(code).status === undefined && !errorOf(code).control)
    expect(unreported).toEqual([])
  })

  it('marks as retryable what both the status and the control code define as retryable', () => {
    for (const code of codes) {
      const { status, control, retryable } = errorOf(code)
      const byStatus = status === undefined ? [] : [status === 408 || status === 429 || status >= 500]
      const byControl = control === undefined ? [] : [controlErrors[control].retryable]
      for (const expected of [...byStatus, ...byControl]) expect(retryable, code).toBe(expected)
    }
  })

  it('says that or when to try again where the same request may succeed later', () => {
    const all = [...Object.entries(errors), ...Object.entries(controlErrors)]
    const silent = all.filter(
      ([, { retryable, message }]) => retryable && !/ again\b|\bwait\b|\brepeat\b|\bnew one\b/.test(message),
    )
    expect(silent).toEqual([])
  })

  it('maps one HTTP code to one status', () => {
    for (const code of codes) {
      const { status, httpCode } = errorOf(code)
      if (httpCode) expect(errorOf(httpCode as ErrorCode).status, code).toBe(status)
    }
  })
})
