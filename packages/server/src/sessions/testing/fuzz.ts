import type { RandomChoices } from '@lectern/common/testing'
import type { SessionState } from '@lectern/protocol/control'
import type { SessionDependencies, SessionEvent } from '../ports.ts'

/** Stores of a server that can be killed: slow, and failing now and then before or after the write. */
export class Fate {
  readonly #random: RandomChoices
  #isDead = false
  #underWay = 0
  failing = 0.02

  constructor(random: RandomChoices) {
    this.#random = random
  }

  wrap = (deps: SessionDependencies): SessionDependencies => ({
    ...deps,
    sessions: this.#wrapAll(deps.sessions),
    chat: this.#wrapAll(deps.chat),
    events: this.#silenceAll(deps.events),
    media: this.#silenceAll(deps.media),
  })

  /** What is being written is written; nothing begins any more, and nobody gets an answer. */
  async kill(): Promise<void> {
    this.#isDead = true
    while (this.#underWay > 0) await new Promise(setImmediate)
  }

  #wrapAll<T extends object>(store: T): T {
    const entries = Object.entries(store).map(([name, call]) => [
      name,
      async (...args: unknown[]) => {
        for (let waits = this.#random.below(4); waits > 0; waits--) await new Promise(setImmediate)
        if (this.#isDead) return new Promise(() => {})
        if (this.#random.chance(this.failing)) throw new Error('store: not written')
        this.#underWay++
        const answer = await (call as (...args: unknown[]) => Promise<unknown>)(...args).finally(
          () => this.#underWay--,
        )
        if (this.#isDead) return new Promise(() => {})
        if (this.#random.chance(this.failing)) throw new Error('store: written, answer lost')
        return answer
      },
    ])
    return Object.fromEntries(entries) as T
  }

  #silenceAll<T extends object>(sink: T): T {
    return new Proxy(sink, {
      get: (target, name) => {
        const call = target[name as keyof T] as (...args: unknown[]) => unknown
        return (...args: unknown[]) => (this.#isDead ? undefined : call.apply(target, args))
      },
    })
  }
}

/** What a client makes of an event. Folded over all of them, it must give the state. */
export function apply(state: SessionState, { name, body }: SessionEvent): SessionState {
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
    case 'chat.mode':
      return { ...state, chat_mode: body.mode }
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
