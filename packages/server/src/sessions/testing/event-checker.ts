import { emptySession } from '@lectern/control-client/testing/session'
import type { SessionState } from '@lectern/protocol/control'
import { expect } from 'vitest'
import type { SessionEvent } from '../ports.ts'
import type { SessionRegistry } from '../session-registry.ts'
import { applyEvent } from './apply-event.ts'

/** A participant as its client knows it. */
export interface ExpectedParticipant {
  id: string
  sessionId: number
  isConnected: boolean
}

/** Follows the events of all sessions as a client does, and compares the result with the server's state. */
export class EventChecker {
  readonly #states = new Map<number, SessionState>()
  readonly #versions = new Map<number, number>()
  readonly #ended = new Set<number>()
  readonly #lastMessageIds = new Map<number, number>()

  /** Reads events once, in their order. */
  read(events: { sessionId: number; event: SessionEvent }[], registry: SessionRegistry): void {
    for (const { sessionId, event } of events) {
      expect(this.#ended.has(sessionId)).toBe(false)
      expect(event.version).toBeGreaterThan(this.#versions.get(sessionId) ?? 0)
      this.#versions.set(sessionId, event.version)
      const before = this.#states.get(sessionId) ?? newState(sessionId, registry)
      this.#states.set(sessionId, applyEvent(before, event))
      if (event.name === 'session.ended') this.#ended.add(sessionId)
      if (event.name === 'chat.message') this.#readMessage(sessionId, event)
    }
  }

  /** Begins again with these states, as clients do after a restart of the server. */
  reset(states: Map<number, SessionState>): void {
    this.#lastMessageIds.clear()
    this.#states.clear()
    for (const [sessionId, state] of states) this.#states.set(sessionId, state)
  }

  check(registry: SessionRegistry, participants: ExpectedParticipant[]): void {
    for (const [sessionId, expected] of this.#states) {
      const actual = registry.state(sessionId)
      if (this.#ended.has(sessionId)) expect(actual).toBeNull()
      else {
        const inside = participants.filter(each => each.sessionId === sessionId)
        this.#compare(
          sessionId,
          expected,
          actual ?? expect.fail(`${sessionId} ended without an event`),
          inside,
        )
      }
    }
  }

  #compare(
    sessionId: number,
    expected: SessionState,
    { state, version }: { state: SessionState; version: number },
    inside: ExpectedParticipant[],
  ): void {
    expect({ ...state, started_at_ms: 0 }).toEqual({ ...expected, started_at_ms: 0 })
    expect(version).toBeGreaterThanOrEqual(this.#versions.get(sessionId) ?? 0)
    const removed = new Set(state.removed.map(({ user_id }) => user_id))
    expect(state.participants.filter(({ user_id }) => removed.has(user_id))).toEqual([])
    const presences = inside.map(({ id, isConnected }) => [id, isConnected ? 'here' : 'away'])
    const actual = state.participants.map(({ participant_id, presence }) => [participant_id, presence])
    expect(actual.sort()).toEqual(presences.sort())
  }

  /** Once, and in order. */
  #readMessage(sessionId: number, { body }: Extract<SessionEvent, { name: 'chat.message' }>): void {
    const id = Number(body.message.message_id)
    expect(id).toBeGreaterThan(this.#lastMessageIds.get(sessionId) ?? 0)
    this.#lastMessageIds.set(sessionId, id)
  }
}

const newState = (sessionId: number, registry: SessionRegistry): SessionState =>
  emptySession({
    conference_tag: registry.state(sessionId)?.state.conference_tag ?? '',
    conference_session_id: String(sessionId),
    started_at_ms: 0,
  })
