import { Refusal } from '@lectern/protocol'
import { type ControlError, controlErrors, isCommandName, type Target } from '@lectern/protocol/control'
import type { Logger } from 'pino'
import { storeFailure } from '../platform/store-failure.ts'

const RETRY_AFTER_MS = 2_000

type LogFields = Record<string, string | number>

/** Fields of a log line about a command: neither its body, nor tags, which are parts of links. */
export const commandLogFields = ({ id, name, target }: LoggedCommand): LogFields => ({
  command_id: id,
  command: isCommandName(name) ? name : 'unknown',
  ...(target?.kind === 'conference_session' && { conference_session_id: Number(target.id) }),
  ...(target?.kind === 'operation' && isJobId(target.id) && { job_id: target.id }),
})

interface LoggedCommand {
  id: string
  name: string
  target: Target | undefined
}

export const isJobId = (id: string): boolean => /^job_[0-9a-f]{1,64}$/.test(id)

/** How a refusal is reported on the control channel; what has no code there is reported as `permission_denied`. */
export function controlError(refusal: Refusal): ControlError {
  const { controlCode = 'permission_denied', message, reason, retryAfterMs } = refusal
  return {
    code: controlCode,
    message,
    ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
    ...(reason !== null && { extensions: { reason } }),
  }
}

/**
 * The second of the two mappings of refusals (the other is http/errors.ts). Unexpected errors are logged with the fields
 * of `about`, by which the command is found.
 */
export function toControlError(error: unknown, log: Logger, about: LogFields = {}): ControlError {
  if (error instanceof Refusal && error.controlCode !== undefined) return controlError(error)
  log.error({ err: error, ...about }, 'a command failed unexpectedly')
  const failure = storeFailure(error)
  if (failure === null)
    return { ...controlError(new Refusal('outcome_unknown')), retry_after_ms: RETRY_AFTER_MS }
  const options = failure === 'temporarily_unavailable' ? { retryAfterMs: RETRY_AFTER_MS } : {}
  return controlError(new Refusal(failure, undefined, options))
}

/** Another try may have another result, so these are not remembered as the command's. */
export const isTransient = ({ code }: ControlError) => controlErrors[code].retryable
