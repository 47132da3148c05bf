import { ControlFailure } from '@lectern/control-client'

/** Why the server refused, in its finer words. */
export const reasonOf = (error: unknown) => (error instanceof ControlFailure ? error.reason : undefined)

/** Another try may go better: nothing is wrong with what was asked. */
export const isPassing = (error: unknown) => error instanceof ControlFailure && passing.has(error.code)

const passing = new Set<ControlFailure['code']>([
  'deadline_exceeded',
  'outcome_unknown',
  'rate_limited',
  'resource_exhausted',
  'stale_binding',
  'temporarily_unavailable',
])
