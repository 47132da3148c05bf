import type {
  ChatMessage,
  Phrase,
  Publication,
  SessionEventName,
  SessionState,
} from '@lectern/protocol/control/client'
import { expect, it } from 'vitest'
import { Model } from '../testing/model.ts'
import { createSessionView, reduceSession } from './session.ts'

const initialView = (changes: Partial<SessionState> = {}) =>
  createSessionView({ ...new Model().session, ...changes })
const anna = new Model().join('p1')
const person = { user_id: '7', display_name: 'Anna' }

it('tracks participants who join, change and leave', () => {
  let state = reduceSession(initialView(), { name: 'participant.joined', body: { participant: anna } })
  const changed = { ...anna, display_name: 'Anne' }
  state = reduceSession(state, { name: 'participant.changed', body: { participant: changed } })
  expect(state.participants).toEqual([changed])
  state = reduceSession(state, { name: 'participant.left', body: { participant_id: 'p1', reason: 'left' } })
  expect(state.participants).toEqual([])
})

it('lists removed people until they are readmitted', () => {
  let state = reduceSession(initialView(), {
    name: 'participant.removed',
    body: { person, by_participant_id: 'p2' },
  })
  expect(state.removed).toEqual([person])
  state = reduceSession(state, { name: 'participant.readmitted', body: { user_id: '7' } })
  expect(state.removed).toEqual([])
})

it('keeps the newest hundred messages', () => {
  const message = (i: number): ChatMessage => ({
    ...person,
    message_id: `m${i}`,
    text: '',
    sent_at_ms: i,
    edited_at_ms: null,
    deleted: false,
  })
  let state = initialView()
  for (let i = 0; i < 101; i++)
    state = reduceSession(state, { name: 'chat.message', body: { message: message(i) } })
  expect(state).toMatchObject({
    has_older_messages: true,
    messages: { length: 100, 0: { message_id: 'm1' } },
  })
})

it('keeps at most as many bytes of messages as the server', () => {
  const message = (i: number, content: Pick<ChatMessage, 'text' | 'file'>): ChatMessage => ({
    message_id: `m${i}`,
    user_id: '7',
    display_name: 'é',
    ...content,
    sent_at_ms: i,
    edited_at_ms: null,
    deleted: false,
  })
  const long = 'я'.repeat(3_999)
  const file = { file_id: 'b', name: long, size: 1, content_type: 'text/plain' }
  for (const content of [{ text: long }, { text: '', file }]) {
    let state = initialView()
    for (let i = 1; i <= 10; i++)
      state = reduceSession(state, { name: 'chat.message', body: { message: message(i, content) } })
    expect(state).toMatchObject({
      has_older_messages: true,
      messages: { length: 8, 7: { message_id: 'm10' } },
    })
  }
})

it('keeps the newest hundred phrases', () => {
  const phrase = (i: number): Phrase => ({
    ...person,
    phrase_id: `j.${i}`,
    participant_id: 'p1',
    text: 'yes',
    at_ms: i,
  })
  let state = initialView({ phrases: [phrase(0)] })
  for (let i = 1; i < 101; i++)
    state = reduceSession(state, { name: 'transcription.phrase', body: { phrase: phrase(i) } })
  expect(state.phrases).toEqual(Array.from({ length: 100 }, (_, i) => phrase(i + 1)))
})

it('applies changes of settings and the end', () => {
  let state = initialView()
  for (const [name, body] of [
    ['chat.mode', { mode: 'read_only' }],
    ['conference.locked', { locked: true }],
    ['recording.changed', { active: true }],
    ['transcription.changed', { active: true }],
    ['session.ended', { reason: 'closed' }],
  ] as const)
    state = reduceSession(state, { name, body })
  expect(state).toMatchObject({
    chat_mode: 'read_only',
    locked: true,
    recording: true,
    transcription: true,
    ended: 'closed',
  })
})

it('tracks permissions and the spotlight', () => {
  const permissions = { microphone: true, camera: false, screen: false }
  const ofBen = { user_id: '8', screen: true }
  let state = initialView()
  for (const [name, body] of [
    ['conference.permissions', { permissions }],
    ['participant.permissions', { person: { user_id: '7', chat: false } }],
    ['participant.permissions', { person: { user_id: '8', screen: false } }],
    ['participant.permissions', { person: ofBen }],
    ['participant.permissions', { person: { user_id: '7' } }],
    ['conference.spotlight', { user_id: '8' }],
  ] as const)
    state = reduceSession(state, { name, body })
  expect(state).toMatchObject({ permissions, person_permissions: [ofBen], spotlight_user_id: '8' })
  state = reduceSession(state, { name: 'conference.spotlight', body: { user_id: null } })
  expect(state.spotlight_user_id).toBeNull()
})

it('ignores unknown events', () => {
  const state = initialView()
  expect(reduceSession(state, { name: 'toString', body: {} })).toBe(state)
})

it('tracks publications, and removes them with their participant', () => {
  const publication = (id: string, parts: Partial<Publication> = {}): Publication => ({
    publication_id: id,
    participant_id: 'p1',
    source: 'camera',
    paused: false,
    ...parts,
  })
  const ids = () => state.publications.map(each => each.publication_id)
  let state = initialView()
  const apply = (name: SessionEventName, body: object) => {
    state = reduceSession(state, { name, body })
  }
  apply('publication.added', { publication: publication('x1') })
  apply('publication.added', { publication: publication('x2', { participant_id: 'p2' }) })
  apply('publication.added', { publication: publication('x1') })
  apply('publication.changed', { publication: publication('x1', { paused: true }) })
  expect(ids()).toEqual(['x2', 'x1'])
  expect(state.publications[1]?.paused).toBe(true)
  apply('participant.left', { participant_id: 'p2', reason: 'left' })
  expect(ids()).toEqual(['x1'])
  apply('publication.removed', { publication_id: 'x1', participant_id: 'p1' })
  expect(ids()).toEqual([])
  apply('media.moved', { rtc_node_id: 'n1', route_generation: '2' })
  expect(state.media).toEqual({ rtc_node_id: 'n1', route_generation: '2' })
})
