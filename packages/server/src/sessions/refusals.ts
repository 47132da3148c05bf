import { type ControlErrorCode, ControlRefusal } from '@lectern/protocol/control'

/** Why a conference refuses. Finer than the codes of the control channel, so that a client can say it well. */
const reasons = {
  not_inside: { code: 'permission_denied', says: 'You are not in this conference.' },
  not_moderator: { code: 'permission_denied', says: 'Only a moderator may do that.' },
  not_yours: { code: 'permission_denied', says: 'You may not change that of somebody else.' },
  approval: { code: 'permission_denied', says: 'A moderator has to admit you.' },
  locked: { code: 'permission_denied', says: 'This conference is locked.' },
  not_started: {
    code: 'permission_denied',
    says: 'A moderator ended the session; a moderator starts the next one.',
  },
  plain_link_closed: { code: 'permission_denied', says: 'This room is entered by personal links only.' },
  denied: { code: 'permission_denied', says: 'A moderator did not admit you; ask again later.' },
  lobby_full: { code: 'resource_exhausted', says: 'Too many people wait for this conference already.' },
  too_many_waits: {
    code: 'resource_exhausted',
    says: 'This connection waits for too many conferences.',
  },
  removed: { code: 'permission_denied', says: 'You were removed from this conference.' },
  not_removable: { code: 'permission_denied', says: 'Neither moderators nor yourself can be removed.' },
  read_only: { code: 'permission_denied', says: 'Only moderators may write right now.' },
  records_itself: { code: 'permission_denied', says: 'This conference is recorded without being asked.' },
  administrator_only: { code: 'permission_denied', says: 'Only an administrator may do that here.' },
  transcription_unavailable: {
    code: 'temporarily_unavailable',
    says: 'There is no transcriber on this server right now.',
  },
  full: { code: 'resource_exhausted', says: 'This conference is full.' },
  too_many_devices: { code: 'resource_exhausted', says: 'You are here on too many devices.' },
  removed_list_full: { code: 'resource_exhausted', says: 'Too many people were removed.' },
  no_such_participant: { code: 'invalid_argument', says: 'There is no such participant.' },
  no_such_message: { code: 'invalid_argument', says: 'There is no such message.' },
  blank: { code: 'invalid_argument', says: 'There must be something to read.' },
  too_many_messages: { code: 'rate_limited', says: 'You are sending messages too fast; wait a moment.' },
  chat_busy: { code: 'rate_limited', says: 'This chat is getting too many messages; wait a moment.' },
  other_message: { code: 'idempotency_conflict', says: 'This command_id was used for another message.' },
  other_version: { code: 'version_conflict', says: 'The session has another version than expected.' },
  too_late: { code: 'deadline_exceeded', says: 'The time for this was over before it began.' },
} as const satisfies Record<string, { code: ControlErrorCode; says: string }>

export type RefusalReason = keyof typeof reasons

export class ConferenceRefusal extends ControlRefusal {
  override name = 'ConferenceRefusal'

  constructor(reason: RefusalReason, retryAfterMs?: number) {
    super(reasons[reason].code, reasons[reason].says, {
      reason,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    })
  }
}

export function demand(condition: unknown, reason: RefusalReason): asserts condition {
  if (!condition) throw new ConferenceRefusal(reason)
}
