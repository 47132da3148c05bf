import { type ControlErrorCode, ControlRefusal } from '@lectern/protocol/control'

/** Why a conference refuses. Finer than the codes of the control channel, so that a client can say it well. */
const reasons = {
  not_inside: { code: 'permission_denied', message: 'You are not in this conference.' },
  not_moderator: { code: 'permission_denied', message: 'Only a moderator may do that.' },
  not_yours: { code: 'permission_denied', message: 'You may not change that of somebody else.' },
  approval: { code: 'permission_denied', message: 'A moderator has to admit you.' },
  locked: { code: 'permission_denied', message: 'This conference is locked.' },
  not_started: {
    code: 'permission_denied',
    message: 'A moderator ended the session; a moderator starts the next one.',
  },
  plain_link_closed: { code: 'permission_denied', message: 'This room is entered by personal links only.' },
  denied: { code: 'permission_denied', message: 'A moderator did not admit you; ask again later.' },
  lobby_full: { code: 'resource_exhausted', message: 'Too many people wait for this conference already.' },
  too_many_waits: {
    code: 'resource_exhausted',
    message: 'This connection waits for too many conferences.',
  },
  removed: { code: 'permission_denied', message: 'You were removed from this conference.' },
  not_removable: { code: 'permission_denied', message: 'Neither moderators nor yourself can be removed.' },
  read_only: { code: 'permission_denied', message: 'Only moderators may write right now.' },
  records_itself: { code: 'permission_denied', message: 'This conference is recorded without being asked.' },
  administrator_only: { code: 'permission_denied', message: 'Only an administrator may do that here.' },
  transcription_unavailable: {
    code: 'temporarily_unavailable',
    message: 'There is no transcriber on this server right now.',
  },
  full: { code: 'resource_exhausted', message: 'This conference is full.' },
  too_many_devices: { code: 'resource_exhausted', message: 'You are here on too many devices.' },
  removed_list_full: { code: 'resource_exhausted', message: 'Too many people were removed.' },
  no_such_participant: { code: 'invalid_argument', message: 'There is no such participant.' },
  no_such_message: { code: 'invalid_argument', message: 'There is no such message.' },
  blank: { code: 'invalid_argument', message: 'There must be something to read.' },
  too_many_messages: { code: 'rate_limited', message: 'You are sending messages too fast; wait a moment.' },
  chat_busy: { code: 'rate_limited', message: 'This chat is getting too many messages; wait a moment.' },
  other_message: { code: 'idempotency_conflict', message: 'This command_id was used for another message.' },
  other_version: { code: 'version_conflict', message: 'The session has another version than expected.' },
  too_late: { code: 'deadline_exceeded', message: 'The time for this was over before it began.' },
} as const satisfies Record<string, { code: ControlErrorCode; message: string }>

export type RefusalReason = keyof typeof reasons

export class ConferenceRefusal extends ControlRefusal {
  override name = 'ConferenceRefusal'

  constructor(reason: RefusalReason, retryAfterMs?: number) {
    super(reasons[reason].code, reasons[reason].message, {
      reason,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    })
  }
}

export function assertOrRefuse(condition: unknown, reason: RefusalReason): asserts condition {
  if (!condition) throw new ConferenceRefusal(reason)
}
