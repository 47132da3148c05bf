import { describe, expect, it } from 'vitest'
import { readConference, readJoin } from './invitation.ts'
import { aConference, aJoin } from './testing.ts'

describe('readJoin', () => {
  it('keeps what the page shows', () => {
    expect(readJoin(aJoin({ display_name: ' Anna ', status: 'active' }))).toEqual({
      tag: 'quiet-fox',
      title: 'Algebra',
      startsAt: Date.UTC(2026, 8, 1, 7),
      endsAt: null,
      live: true,
      guest: { role: 'teacher', name: 'Anna', personal: true },
      features: { mainNavigation: false, chat: true, transcription: false, recordingControls: false },
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
  it('invites nobody by name', () => {
    expect(readConference(aConference())).toEqual({
      tag: 'quiet-fox',
      title: 'Open hour',
      startsAt: null,
      endsAt: Date.UTC(2026, 8, 1, 10),
      live: false,
      guest: null,
      features: { mainNavigation: true, chat: true, transcription: true, recordingControls: true },
    })
    expect(readConference(aConference({ live: true }))).toMatchObject({ live: true })
  })

  it('refuses a body that is not an answer of our server', () => {
    for (const body of [null, 'hello', {}]) expect(readConference(body)).toBeNull()
  })
})
