import { ControlFailure, type EndReason } from '@lectern/control-client'
import type { WaitReason } from '@lectern/protocol/control/client'

/** Why a call has ended or was refused. Each reason has its text in `texts`. */
export const CALL_END_REASONS = [
  'left',
  'removed',
  'ended',
  'closed',
  'cancelled',
  'denied',
  'timed_out',
  'lobby_full',
  'plain_link_closed',
  'full',
  'too_many_devices',
  'not_found',
  'link_rotated',
  'link_invalid',
  'guests_not_allowed',
  'signed_out',
  'account_deleted',
  'incompatible',
  'refused', // for a reason that this page does not know
] as const
export type CallEndReason = (typeof CALL_END_REASONS)[number]

/** Server reasons that have another name here. */
const aliases: Record<string, CallEndReason> = {
  room_closed: 'closed',
  room_cancelled: 'cancelled',
  conference_not_found: 'not_found',
}

const read = (word: string): CallEndReason =>
  aliases[word] ?? CALL_END_REASONS.find(reason => reason === word) ?? 'refused'

export function endReasonOf(reason: EndReason): CallEndReason {
  switch (reason.is) {
    case 'closed':
      return 'left'
    case 'forbidden':
      return read(reason.code)
    case 'signed-out':
      return reason.code === 'link_invalid' ? 'link_invalid' : 'signed_out'
    case 'incompatible':
      return 'incompatible'
    case 'account-deleted':
      return 'account_deleted'
  }
}

/** Errors that may not recur a little later. */
const TRANSIENT_CODES = ['temporarily_unavailable', 'rate_limited', 'deadline_exceeded', 'outcome_unknown']

/** Null: worth a retry. */
export function refusalReasonOf(error: unknown): CallEndReason | null {
  if (!(error instanceof ControlFailure)) return 'refused'
  return TRANSIENT_CODES.includes(error.code) ? null : read(error.reason ?? error.code)
}

// Repeated here, because the protocol's list is in a file of schemas that the page must not load.
const waitReasons: Record<WaitReason, true> = { approval: true, locked: true, not_started: true }

/** Null: not a refusal that the lobby can lift. */
export function waitReasonOf(error: unknown): WaitReason | null {
  const reason = error instanceof ControlFailure ? error.reason : undefined
  return reason !== undefined && Object.hasOwn(waitReasons, reason) ? (reason as WaitReason) : null
}
