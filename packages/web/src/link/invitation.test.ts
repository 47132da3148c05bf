import { describe, expect, it } from 'vitest'
import { readConference, readJoin, readServerInfo } from './invitation.ts'
import { aConference, aJoin } from './testing.ts'

describe('readJoin', () => {
  it('keeps what the page shows', () => {
    expect(readJoin(aJoin({ display_name: ' Anna ', status: 'active' }))).toEqual({
      tag: 'quiet-fox',
      title: 'Algebra',
      startsAt: Date.UTC(2026, 8, 1, 7),
      endsAt: null,
      live: true,
      invitee: { role: 'teacher', name: 'Anna', personal: true },
      admitsGuests: true,
      isPartnerRoom: true,
      features: { mainNavigation: false, chat: true, transcription: false, recordingControls: false },
      isRecorded: true,
    })
  })

  it('shows a room whose times cannot be read without times', () => {
    expect(readJoin({ ...aJoin(), starts_at: 'soon', ends_at: 5 })).toMatchObject({
      startsAt: null,
      endsAt: null,
    })
  })

  it('refuses a body that is not an answer of our server', () => {
    for (const body of [null, 'hello', [], {}, { ...aJoin(), role: 'admin' }, { ...aJoin(), title: 7 }])
      expect(readJoin(body)).toBeNull()
  })
})

describe('readConference', () => {
  const server = { admitsGuests: true, transcribes: true }

  it('invites nobody by name', () => {
    expect(readConference(aConference(), server)).toEqual({
      tag: 'quiet-fox',
      title: 'Open hour',
      startsAt: null,
      endsAt: Date.UTC(2026, 8, 1, 10),
      live: false,
      invitee: null,
      admitsGuests: true,
      isPartnerRoom: false,
      features: { mainNavigation: true, chat: true, transcription: true, recordingControls: true },
      isRecorded: false,
    })
    expect(readConference(aConference({ live: true }), server)).toMatchObject({ live: true })
  })

  it('offers what the server has, and to whom', () => {
    expect(readConference(aConference(), { admitsGuests: false, transcribes: false })).toMatchObject({
      admitsGuests: false,
      features: { mainNavigation: true, transcription: false },
    })
  })

  it("gives a partner's room the partner's profile", () => {
    expect(readConference({ ...aConference(), ui_profile: 'partner_videoroom' }, server)).toMatchObject({
      isPartnerRoom: true,
      features: { mainNavigation: false, chat: true, transcription: false, recordingControls: false },
    })
  })

  it('says whether it is recorded without being asked', () => {
    const recorded = aConference({ recording: { mode: 'automatic' } })
    expect(readConference(recorded, server)).toMatchObject({ isRecorded: true })
  })

  it('refuses a body that is not an answer of our server', () => {
    for (const body of [null, 'hello', {}]) expect(readConference(body, server)).toBeNull()
  })
})

describe('readServerInfo', () => {
  it('reads what the server says of itself, and nothing else', () => {
    const info = { guests_allowed: false, transcription_available: true }
    expect(readServerInfo(info)).toEqual({ admitsGuests: false, transcribes: true })
    for (const body of [null, 'hello', {}, { guests_allowed: 'yes' }]) expect(readServerInfo(body)).toBeNull()
  })
})
