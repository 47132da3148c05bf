import { CONVERSION_FAILURES, type ConversionFailure } from '@lectern/protocol'
import type { TaskResult } from '../sandbox/index.ts'

/** A document, or a page of it, that cannot be shown. */
export class CannotBeShown extends Error {
  override name = 'CannotBeShown'
  readonly reason: ConversionFailure

  constructor(reason: ConversionFailure) {
    super(CONVERSION_FAILURES[reason])
    this.reason = reason
  }
}

/** The failure that the output of a failed program points to. */
export function reasonOf({ ended, stderr }: TaskResult): ConversionFailure {
  if (ended === 'time') return 'too_slow'
  if (ended === 'output') return 'too_large'
  if (/incorrect password/i.test(stderr)) return 'encrypted'
  if (/wrong page range/i.test(stderr)) return 'empty'
  if (/exceeds.*max pixel count|picture size .* is invalid|invalid.* size/i.test(stderr))
    return 'too_many_pixels'
  if (/memory|bad_alloc/i.test(stderr)) return 'too_large'
  return 'damaged'
}
