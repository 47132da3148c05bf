import { Check } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import {
  ACCOUNT_EVENTS,
  AccountState,
  CONTROL_ERROR_CODES,
  closeCodes,
  commandBodies,
  commands,
  eventBodies,
  Id,
  loginErrors,
  PAGE_EVENTS,
  SESSION_EVENTS,
  SessionState,
  signals,
  TARGET_KINDS,
} from './index.ts'

describe('names', () => {
  it('are valid ids with known target kinds', () => {
    for (const [name, kinds] of Object.entries(commands)) {
      expect(Check(Id, name), name).toBe(true)
      for (const kind of kinds) expect(TARGET_KINDS).toContain(kind)
    }
    for (const name of [...SESSION_EVENTS, ...ACCOUNT_EVENTS, ...PAGE_EVENTS, ...Object.keys(signals)])
      expect(Check(Id, name), name).toBe(true)
  })

  it('have body schemas for the commands of conferences, media, recordings, transcriptions, messages, contacts, calls, pushes, jobs and boards, and for every event', () => {
    const built = Object.keys(commands).filter(name =>
      /^((conference|lobby|chat|participant|media|recording|transcription|message|conversation|contact|mute|presence|call|job|board)\.|push_)/.test(
        name,
      ),
    )
    expect(Object.keys(commandBodies).sort()).toEqual(built.sort())
    expect(Object.keys(eventBodies).sort()).toEqual(
      [...SESSION_EVENTS, ...ACCOUNT_EVENTS, ...PAGE_EVENTS].sort(),
    )
  })
})

describe('error and close codes', () => {
  it('are the eighteen documented ones', () => {
    expect(CONTROL_ERROR_CODES).toHaveLength(18)
  })

  it('map each reason of a rejected login to a close code that lists it', () => {
    for (const [reason, code] of Object.entries(loginErrors))
      expect(closeCodes[code].reasons as readonly string[], reason).toContain(reason)
  })

  it('have reasons that fit into a close frame', () => {
    for (const { reasons } of Object.values(closeCodes))
      for (const reason of reasons) expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(123)
  })
})

describe('states', () => {
  it('contain everything that a new participant needs', () => {
    const participant = {
      participant_id: 'p_1',
      user_id: '7',
      display_name: 'Anna',
      role: 'moderator',
      presence: 'here',
      hand_raised_at_ms: null,
      joined_at_ms: 1_700_000_000_000,
    }
    const message = {
      message_id: '1',
      user_id: '7',
      display_name: '',
      text: 'hi',
      sent_at_ms: 1,
      edited_at_ms: null,
      deleted: false,
    }
    const state = {
      conference_tag: 'amber-falcon-4k2m',
      conference_session_id: '42',
      started_at_ms: 1_700_000_000_000,
      locked: false,
      chat_mode: 'open',
      permissions: { microphone: true, camera: true, screen: true },
      person_permissions: [],
      spotlight_user_id: null,
      recording: true,
      transcription: false,
      media: { rtc_node_id: 'n_1', route_generation: '1' },
      participants: [participant],
      publications: [{ publication_id: 'x_1', participant_id: 'p_1', source: 'camera', paused: false }],
      removed: [{ user_id: '8', display_name: 'Bo' }],
      lobby: [{ user_id: '9', display_name: 'Cy', reason: 'locked', waiting_since_ms: 1 }],
      messages: [message],
      has_older_messages: false,
      phrases: [
        {
          phrase_id: 'job_1.1',
          participant_id: 'p_1',
          user_id: '7',
          display_name: 'Anna',
          text: 'Go forward.',
          at_ms: 1,
        },
      ],
    }
    expect(Check(SessionState, state)).toBe(true)
    expect(Check(SessionState, { ...state, participants: [{ ...participant, secret: 1 }] })).toBe(false)
    const account = {
      user_id: '7',
      display_name: 'Anna',
      conversations: [],
      unread_conversations: 0,
      unmuted_unread_conversations: 0,
      contacts: [],
      calls: [],
      missed_calls: 0,
    }
    expect(Check(AccountState, account)).toBe(true)
  })
})
