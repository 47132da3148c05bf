import type { CallEndReason } from '../../call/end-reasons.ts'

/** What a visitor can do on this page: 'join': go back to where one joins. */
export type EndAction = 'join' | 'reload' | null

/** Nothing where trying again cannot help: then the text says whom to ask. */
export const endActions: Record<CallEndReason, EndAction> = {
  left: 'join',
  removed: null,
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
