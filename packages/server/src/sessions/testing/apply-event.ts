import { applyBoardChanged, type SessionState } from '@lectern/protocol/control'
import type { SessionEvent } from '../ports.ts'

/** The state after the event, as a client computes it. */
export function applyEvent(state: SessionState, { name, body }: SessionEvent): SessionState {
  switch (name) {
    case 'participant.joined':
      return { ...state, participants: [...state.participants, body.participant] }
    case 'participant.changed': {
      const { participant } = body
      const change = (other: typeof participant) =>
        other.participant_id === participant.participant_id ? participant : other
      return { ...state, participants: state.participants.map(change) }
    }
    case 'participant.left': {
      const stays = ({ participant_id }: { participant_id: string }) => participant_id !== body.participant_id
      return { ...state, participants: state.participants.filter(stays) }
    }
    case 'participant.removed':
      return { ...state, removed: [...state.removed, body.person] }
    case 'participant.readmitted':
      return { ...state, removed: state.removed.filter(({ user_id }) => user_id !== body.user_id) }
    case 'chat.message': {
      const messages = [...state.messages, body.message]
      const isLong = messages.length > 100
      return {
        ...state,
        messages: messages.slice(-100),
        has_older_messages: state.has_older_messages || isLong,
      }
    }
    case 'chat.message_changed': {
      const change = (other: (typeof state.messages)[number]) =>
        other.message_id === body.message.message_id ? body.message : other
      return { ...state, messages: state.messages.map(change) }
    }
    case 'chat.mode':
      return { ...state, chat_mode: body.mode }
    case 'conference.permissions':
      return { ...state, permissions: body.permissions }
    case 'conference.spotlight':
      return { ...state, spotlight_user_id: body.user_id }
    case 'participant.permissions': {
      const { person } = body
      const others = state.person_permissions.filter(({ user_id }) => user_id !== person.user_id)
      const isEmpty = Object.keys(person).length === 1
      return { ...state, person_permissions: isEmpty ? others : [...others, person] }
    }
    case 'conference.locked':
      return { ...state, locked: body.locked }
    case 'lobby.waiting': {
      const { person } = body
      const isKnown = state.lobby.some(({ user_id }) => user_id === person.user_id)
      const lobby = state.lobby.map(each => (each.user_id === person.user_id ? person : each))
      return { ...state, lobby: isKnown ? lobby : [...lobby, person] }
    }
    case 'lobby.left':
      return { ...state, lobby: state.lobby.filter(({ user_id }) => user_id !== body.user_id) }
    case 'board.changed': {
      const board = applyBoardChanged(state.board, body)
      return board ? { ...state, board } : state
    }
    case 'publication.added':
    case 'publication.changed':
    case 'publication.removed':
    case 'media.moved':
    case 'participant.muted':
    case 'recording.changed':
    case 'transcription.changed':
    case 'transcription.phrase':
    case 'session.ended':
      return state
  }
}
