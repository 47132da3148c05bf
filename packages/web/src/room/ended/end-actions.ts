import type { CallEndReason } from '../../call/end-reasons.ts'

/** 'join': back to the prejoin screen. */
export type EndAction = 'join' | 'reload' | null

/** Null where a retry cannot help: the text names whom to contact. */
export const endActions: Record<CallEndReason, EndAction> = {
  left: 'join',
  removed: 'join', // a moderator may have readmitted the person meanwhile
  ended: 'join',
  closed: null,
  cancelled: null,
  denied: 'join',
  timed_out: 'join',
  lobby_full: 'join',
  plain_link_closed: null,
  full: 'join',
  too_many_devices: 'join',
  not_found: null,
  link_rotated: null,
  link_invalid: null,
  guests_not_allowed: null,
  signed_out: 'join',
  account_deleted: null,
  incompatible: 'reload',
  refused: 'join',
}
