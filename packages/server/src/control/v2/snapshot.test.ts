import {
  CHAT_TAIL_BYTES,
  CHAT_TEXT_MAX,
  encodeFrame,
  type JsonObject,
  LOBBY_MAX,
  PHRASE_TAIL_MAX,
  PHRASE_TEXT_MAX,
  type SessionState,
  utf8Length,
} from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { PARTICIPANTS_MAX, REMOVED_MAX } from '../../sessions/limits.ts'
import { MAX_FRAME_BYTES, protocolLimits } from '../limits/constants.ts'
import { createHarness } from '../testing/control-harness.ts'
import { splitState } from './snapshot.ts'

/** Assembles a snapshot as a client does. */
const join = (parts: JsonObject[]) => {
  const whole: JsonObject = {}
  for (const part of parts)
    for (const [name, value] of Object.entries(part)) {
      const before = whole[name]
      whole[name] = Array.isArray(before) ? [...before, ...(value as unknown[])] : value
    }
  return whole
}

/** The largest session that the limits of conferences allow; control characters take six bytes each. */
const largest = (): SessionState => {
  const name = '\u0001'.repeat(128)
  const text = '\u0001'.repeat(CHAT_TEXT_MAX)
  const participant = {
    participant_id: '9007199254740991.9007199254740991.9007199254740991',
    user_id: '9007199254740991',
    display_name: name,
    role: 'moderator' as const,
    presence: 'here' as const,
    hand_raised_at_ms: Number.MAX_SAFE_INTEGER,
    joined_at_ms: Number.MAX_SAFE_INTEGER,
  }
  const publication = {
    publication_id: 'x'.repeat(128),
    participant_id: participant.participant_id,
    source: 'screen_audio' as const,
    paused: true,
  }
  const message = {
    message_id: '1',
    user_id: '1',
    display_name: name,
    text,
    sent_at_ms: 1,
    edited_at_ms: null,
    deleted: false,
  }
  const phrase = {
    phrase_id: `job_${'f'.repeat(24)}.9007199254740991`,
    participant_id: participant.participant_id,
    user_id: participant.user_id,
    display_name: name,
    text: '\u0001'.repeat(PHRASE_TEXT_MAX),
    at_ms: Number.MAX_SAFE_INTEGER,
  }
  return {
    conference_tag: 'aaaa-bbbbb-cccc',
    conference_session_id: '1',
    started_at_ms: 1,
    locked: true,
    chat_mode: 'open',
    permissions: { microphone: true, camera: true, screen: true },
    person_permissions: [],
    spotlight_user_id: null,
    recording: true,
    transcription: true,
    media: { rtc_node_id: 'x'.repeat(128), route_generation: '18446744073709551615' },
    participants: Array(PARTICIPANTS_MAX).fill(participant),
    publications: Array(PARTICIPANTS_MAX * 8).fill(publication),
    removed: Array(REMOVED_MAX).fill({ user_id: '9007199254740991', display_name: name }),
    lobby: Array(LOBBY_MAX).fill({
      user_id: '9007199254740991',
      display_name: name,
      reason: 'not_started',
      waiting_since_ms: Number.MAX_SAFE_INTEGER,
    }),
    messages: Array(Math.floor(CHAT_TAIL_BYTES / (CHAT_TEXT_MAX + name.length))).fill(message),
    has_older_messages: true,
    phrases: Array(PHRASE_TAIL_MAX).fill(phrase),
  }
}

describe('snapshots', () => {
  it('Y9 respect the limits for the largest session', () => {
    const limits = protocolLimits(30_000)
    const parts = splitState(largest())
    expect(parts.length).toBeGreaterThan(5)
    expect(parts.length).toBeLessThanOrEqual(limits.max_sync_parts)
    const sizes = parts.map(part => utf8Length(JSON.stringify(part)))
    expect(Math.max(...sizes)).toBeLessThan(MAX_FRAME_BYTES - 2_000)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(limits.max_sync_bytes)
    expect(join(parts)).toEqual(largest())
  })

  it('Y9 contain the whole state, whatever the size of the parts', () => {
    const state = {
      a: 1,
      list: ['x'.repeat(50), 'y'.repeat(50)],
      empty: [],
      last: { b: [1, 2] },
      c: 'é'.repeat(30),
    }
    for (let bytes = 1; bytes < 400; bytes += 7) expect(join(splitState(state, bytes))).toEqual(state)
    expect(splitState(state)).toEqual([state])
  })

  it('Y9 are sent in several frames with one snapshot id', async () => {
    const harness = await createHarness()
    const anna = await harness.enter('anna')
    for (let i = 0; i < 60; i++) await anna.command('chat.send', { text: `${i} ${'\u0001'.repeat(3_990)}` })
    const ben = await harness.enter('ben')
    const parts = ben.snapshots().filter(({ stream_id }) => stream_id.startsWith('session:'))
    expect(parts.length).toBeGreaterThan(1)
    expect(new Set(parts.map(({ snapshot_id }) => snapshot_id)).size).toBe(1)
    expect(parts.map(({ part_index }) => part_index)).toEqual(parts.map((_, i) => i))
    expect(parts.every(({ part_count }) => part_count === parts.length)).toBe(true)
    for (const part of parts)
      expect(utf8Length(encodeFrame({ control_snapshot: part }))).toBeLessThanOrEqual(MAX_FRAME_BYTES)
    const { messages, has_older_messages } = join(parts.map(({ state }) => state))
    expect(messages).toHaveLength(16) // 64 KiB
    expect(has_older_messages).toBe(true)
  })
})
