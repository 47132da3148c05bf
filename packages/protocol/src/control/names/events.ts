/** The events of a session's stream, `session:<conference_session_id>` (docs/control-commands.md#events). */
export const SESSION_EVENTS = [
  'participant.joined',
  'participant.changed',
  'participant.left',
  'participant.muted',
  'participant.permissions',
  'participant.removed',
  'participant.readmitted',
  'chat.message',
  'chat.message_changed',
  'chat.mode',
  'conference.locked',
  'conference.permissions',
  'conference.spotlight',
  'lobby.waiting',
  'lobby.left',
  'recording.changed',
  'transcription.changed',
  'transcription.phrase',
  'publication.added',
  'publication.changed',
  'publication.removed',
  'media.moved',
  'board.changed',
  'session.ended',
] as const
export type SessionEventName = (typeof SESSION_EVENTS)[number]

/** The events of a page's stream, `page:<conference_session_id>.<page_id>`. */
export const PAGE_EVENTS = ['board.elements', 'board.deleted', 'board.moved'] as const
export type PageEventName = (typeof PAGE_EVENTS)[number]

/** The events of an account's stream, `account:<user_id>`. */
export const ACCOUNT_EVENTS = [
  'account.changed',
  'message.added',
  'message.changed',
  'conversation.changed',
  'conversation.removed',
  'contact.changed',
  'contact.removed',
  'presence.changed',
  'lobby.status',
  'call.changed',
  'call.unseen',
  'job.available',
  'job.stopping',
] as const
export type AccountEventName = (typeof ACCOUNT_EVENTS)[number]

/**
 * All signals with their senders. source_id is the participant concerned; the server sends `connection.alive` on the
 * account's stream as a heartbeat.
 */
export const signals = {
  'connection.alive': 'server',
  'chat.typing': 'both',
  'screen.pointer': 'both',
  'reaction.shown': 'both',
  'board.ink': 'both',
  'board.pointer': 'both',
  'speaker.active': 'server',
  'audio.levels': 'server',
  'transcription.partial': 'server',
  'connection.quality': 'server',
  'media.reception': 'server',
  'media.undecodable': 'server',
} as const satisfies Record<string, 'both' | 'server'>
export type SignalName = keyof typeof signals
export const isSignalName = (name: string): name is SignalName => Object.hasOwn(signals, name)

export const accountStream = (userId: string) => `account:${userId}`
export const sessionStream = (conferenceSessionId: string) => `session:${conferenceSessionId}`
