import { ControlFailure } from '@lectern/control-client'

/** The reason code of a refusal. */
export const reasonOf = (error: unknown) => (error instanceof ControlFailure ? error.reason : undefined)

/** Whether a retry may succeed. */
export const isTransient = (error: unknown) =>
  error instanceof ControlFailure && transientCodes.has(error.code)

/** Whether the server does not understand the command. */
export const isInvalid = (error: unknown) =>
  error instanceof ControlFailure && error.code === 'invalid_argument'

/** Whether the server does not know the command: it is older. */
export const isUnsupported = (error: unknown) =>
  error instanceof ControlFailure && error.code === 'unsupported_feature'

const transientCodes = new Set<ControlFailure['code']>([
  'deadline_exceeded',
  'outcome_unknown',
  'rate_limited',
  'resource_exhausted',
  'stale_binding',
  'temporarily_unavailable',
])
