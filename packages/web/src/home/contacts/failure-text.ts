import { ControlFailure } from '@lectern/control-client'
import type { TFunction } from 'i18next'

/** Refusals that the user can do something about; everything else is a general failure. */
const KNOWN = [
  'not_reachable',
  'blocked_by_you',
  'request_pending',
  'not_a_member',
  'no_such_conversation',
  'not_your_message',
  'too_old',
  'too_many_requests',
  'too_many_contacts',
  'too_many_mutes',
  'too_many_contact_requests',
  'read_only',
  'removed',
] as const

/** Null for a refusal without a text of its own. */
export function refusalText(t: TFunction, code: string): string | null {
  const known = KNOWN.find(each => each === code)
  return known ? t(`contacts.refused.${known}`) : null
}

export function failureText(t: TFunction, error: unknown): string {
  const code = error instanceof ControlFailure ? (error.reason ?? error.code) : ''
  return refusalText(t, code) ?? t('chat.notDone')
}
