import {
  applyBoardChanged,
  type ChatMessage,
  chatTailLength,
  type EventBody,
  isAfter,
  messageBytes,
  type ParticipantView,
  type Phrase,
  type PHRASE_TAIL_MAX as ServerPhraseTail,
  type SessionEventName,
  type SessionState,
} from '@lectern/protocol/control/client'

/** The state of a conference session, reduced from its stream. */
export interface SessionView extends SessionState {
  /** Null while the session is open. */
  ended: EventBody<'session.ended'>['reason'] | null
}

/** Fields that servers before 0.2 leave out; a client can be connected to one during an upgrade. */
const ADDED_LATER: Pick<SessionState, 'permissions' | 'person_permissions' | 'spotlight_user_id'> = {
  permissions: { microphone: true, camera: true, screen: true },
  person_permissions: [],
  spotlight_user_id: null,
}

export const createSessionView = (snapshot: SessionState): SessionView => ({
  ...ADDED_LATER,
  ...snapshot,
  ended: null,
})

/** Ignores events with an unknown name. */
export function reduceSession(state: SessionView, event: { name: string; body: unknown }): SessionView {
  if (!Object.hasOwn(cases, event.name)) return state
  // TypeScript cannot see that the name and the body come from the same event.
  const apply = cases[event.name as SessionEventName] as Case<unknown>
  return apply(state, event.body)
}

type Case<Body> = (state: SessionView, body: Body) => SessionView

/** The reducer of every event. An event without a case does not compile. */
const cases: { [N in SessionEventName]: Case<EventBody<N>> } = {
  'participant.joined': (state, { participant }) => ({
    ...state,
    participants: [...without(state.participants, participant.participant_id), participant],
  }),
  'participant.changed': (state, { participant }) => ({
    ...state,
    participants: state.participants.map(each =>
      each.participant_id === participant.participant_id ? participant : each,
    ),
  }),
  'participant.left': (state, { participant_id }) => ({
    ...state,
    participants: without(state.participants, participant_id),
    publications: state.publications.filter(each => each.participant_id !== participant_id),
  }),
  // A request to the muted participant, who closes the track; the state does not change.
  'participant.muted': state => state,
  'participant.permissions': (state, { person }) => {
    const others = state.person_permissions.filter(each => each.user_id !== person.user_id)
    const hasOwn = Object.keys(person).length > 1
    return { ...state, person_permissions: hasOwn ? [...others, person] : others }
  },
  'participant.removed': (state, { person }) => ({
    ...state,
    removed: [...state.removed.filter(each => each.user_id !== person.user_id), person],
  }),
  'participant.readmitted': (state, { user_id }) => ({
    ...state,
    removed: state.removed.filter(each => each.user_id !== user_id),
  }),
  'chat.message': (state, { message }) => addMessage(state, message),
  'chat.message_changed': (state, { message }) =>
    withTail(
      state,
      state.messages.map(each => (each.message_id === message.message_id ? message : each)),
    ),
  'chat.mode': (state, { mode }) => ({ ...state, chat_mode: mode }),
  'conference.locked': (state, { locked }) => ({ ...state, locked }),
  'conference.permissions': (state, { permissions }) => ({ ...state, permissions }),
  'conference.spotlight': (state, { user_id }) => ({ ...state, spotlight_user_id: user_id }),
  'lobby.waiting': (state, { person }) => ({
    ...state,
    lobby: state.lobby.some(each => each.user_id === person.user_id)
      ? state.lobby.map(each => (each.user_id === person.user_id ? person : each))
      : [...state.lobby, person],
  }),
  'lobby.left': (state, { user_id }) => ({
    ...state,
    lobby: state.lobby.filter(each => each.user_id !== user_id),
  }),
  'recording.changed': (state, { active }) => ({ ...state, recording: active }),
  'transcription.changed': (state, { active }) => ({ ...state, transcription: active }),
  'transcription.phrase': (state, { phrase }) => addPhrase(state, phrase),
  'publication.added': (state, { publication }) => ({
    ...state,
    publications: [...withoutPublication(state, publication.publication_id), publication],
  }),
  'publication.changed': (state, { publication }) => ({
    ...state,
    publications: state.publications.map(each =>
      each.publication_id === publication.publication_id ? publication : each,
    ),
  }),
  'publication.removed': (state, { publication_id }) => ({
    ...state,
    publications: withoutPublication(state, publication_id),
  }),
  'media.moved': (state, media) => ({ ...state, media }),
  'board.changed': (state, changed) => {
    const board = applyBoardChanged(state.board, changed)
    return board ? { ...state, board } : state
  },
  'session.ended': (state, { reason }) => ({ ...state, ended: reason }),
}

const without = (participants: ParticipantView[], id: string) =>
  participants.filter(each => each.participant_id !== id)

const withoutPublication = ({ publications }: SessionView, id: string) =>
  publications.filter(each => each.publication_id !== id)

/** A repeated message is added once (rule C13). */
function addMessage(state: SessionView, message: ChatMessage): SessionView {
  if (state.messages.some(each => each.message_id === message.message_id)) return state
  const newer = state.messages.findIndex(each => isAfter(each.message_id, message.message_id))
  const position = newer < 0 ? state.messages.length : newer
  const [older, later] = [state.messages.slice(0, position), state.messages.slice(position)]
  return withTail(state, [...older, message, ...later])
}

/** The same length as the tail of the server, so that a snapshot never removes messages. */
function withTail(state: SessionView, messages: ChatMessage[]): SessionView {
  const length = chatTailLength(messages, each => messageBytes(each.display_name, each.text, each.file?.name))
  return {
    ...state,
    messages: messages.slice(-length),
    has_older_messages: state.has_older_messages || messages.length > length,
  }
}

const PHRASE_TAIL_MAX: typeof ServerPhraseTail = 100

const addPhrase = (state: SessionView, phrase: Phrase): SessionView => ({
  ...state,
  phrases: [...state.phrases, phrase].slice(-PHRASE_TAIL_MAX),
})
