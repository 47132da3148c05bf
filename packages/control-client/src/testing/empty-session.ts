import type { SessionState } from '@lectern/protocol/control/client'

/** `@lectern/control-client/testing/session`: the state of a session that has just begun, with these parts. */
export const emptySession = (parts: Partial<SessionState> = {}): SessionState => ({
  conference_tag: 'k7mq',
  conference_session_id: '1',
  started_at_ms: 1,
  locked: false,
  chat_mode: 'open',
  permissions: { microphone: true, camera: true, screen: true },
  person_permissions: [],
  spotlight_user_id: null,
  recording: false,
  transcription: false,
  media: null,
  participants: [],
  publications: [],
  removed: [],
  lobby: [],
  messages: [],
  has_older_messages: false,
  phrases: [],
  ...parts,
})
