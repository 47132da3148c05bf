import type { CallEndReason } from '../../call/end-reasons.ts'

/**
 * The next steps of a person. `rejoin`: at once, with the same devices; `ask`: the same, but a moderator decides;
 * `retry`: from the prejoin screen; `back`: see the page of the link.
 */
export type EndAction = 'rejoin' | 'ask' | 'retry' | 'back' | 'reload' | null

/** Null where a retry cannot help: the text names whom to contact. */
export const endActions: Record<CallEndReason, EndAction> = {
  left: 'rejoin',
  removed: 'ask',
  ended: 'back', // only a moderator starts again
  closed: null,
  cancelled: null,
  denied: 'ask',
  timed_out: 'ask',
  lobby_full: 'ask',
  plain_link_closed: null,
  full: 'retry',
  too_many_devices: 'retry',
  not_found: null,
  link_rotated: null,
  link_invalid: null,
  guests_not_allowed: null,
  signed_out: 'retry',
  account_deleted: null,
  incompatible: 'reload',
  refused: 'retry',
}
