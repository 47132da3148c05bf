import type { ErrorCode } from '@lectern/protocol'
import { expect } from 'vitest'

/** Matches an error response (docs/errors.md). */
export const refused = (status: number, code: ErrorCode, message: unknown = expect.any(String)) =>
  expect.objectContaining({ status, body: { result: status, code, message } })
