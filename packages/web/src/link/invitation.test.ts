import { describe, expect, it } from 'vitest'
import { readConference, readJoin, readServerInfo } from './invitation.ts'
import { aConference, aJoin, USUAL_LOOK } from './testing.ts'

describe('readJoin', () => {
  it('reads what the page shows', () => {
    const participants = { names: ['Ben'], count: 1 }
    const answer = {
      display_name: ' Anna ',
      status: 'active',
      description: ' Bring a ruler ',
      participants,
    } as const
    expect(readJoin(aJoin(answer))).toEqual({
      tag: 'quiet-fox',
      title: 'Algebra',
      startsAt: Date.UTC(2026, 8, 1, 7),
      endsAt: null,
      description: 'Bring a ruler',
      inside: { names: ['Ben'], count: 1 },
      live: true,
      invitee: { role: 'teacher', name: 'Anna', personal: true },
      admitsGuests: true,
      isPartnerRoom: true,
      isCall: false,
      features: {
        mainNavigation: false,
        chat: true,
        transcription: false,
        recordingControls: false,
        screenSharing: true,
        files: true,
        reactions: true,
      },
      isRecorded: true,
      transcriptionLanguages: [],
      look: USUAL_LOOK,
    })
  })

  it('names two people at most, and nobody where the server reports none', () => {
    const inside = (participants: unknown) => readJoin({ ...aJoin(), participants })?.inside
    expect(inside({ names: ['Anna', 'Ben', 'Cleo'], count: 3 })).toEqual({ names: ['Anna', 'Ben'], count: 3 })
    expect(inside({ names: ['Anna', 7], count: 0 })).toEqual({ names: ['Anna'], count: 1 })
    for (const none of [undefined, null, { names: [], count: 1 }, { names: 'Anna', count: 1 }])
      expect(inside(none)).toBeNull()
  })

  it('omits times that are malformed', () => {
    expect(readJoin({ ...aJoin(), starts_at: 'soon', ends_at: 5 })).toMatchObject({
      startsAt: null,
      endsAt: null,
    })
  })

  it('rejects a body that the server would not send', () => {
    for (const body of [null, 'hello', [], {}, { ...aJoin(), role: 'admin' }, { ...aJoin(), title: 7 }])
      expect(readJoin(body)).toBeNull()
  })
})

describe('readConference', () => {
  const server = { admitsGuests: true, transcribes: true, languages: ['en-US'] }

  it('has no invitee', () => {
    expect(readConference(aConference(), server)).toEqual({
      tag: 'quiet-fox',
      title: 'Open hour',
      startsAt: null,
      endsAt: Date.UTC(2026, 8, 1, 10),
      description: '',
      live: false,
      inside: null,
      invitee: null,
      admitsGuests: true,
      isPartnerRoom: false,
      isCall: false,
      features: {
        mainNavigation: true,
        chat: true,
        transcription: true,
        recordingControls: true,
        screenSharing: true,
        files: true,
        reactions: true,
      },
      isRecorded: false,
      transcriptionLanguages: ['en-US'],
      look: USUAL_LOOK,
    })
    expect(readConference(aConference({ live: true }), server)).toMatchObject({ live: true })
    expect(readConference(aConference({ purpose: 'call' }), server)).toMatchObject({ isCall: true })
  })

  it('offers the features that the server has', () => {
    expect(
      readConference(aConference(), { admitsGuests: false, transcribes: false, languages: [] }),
    ).toMatchObject({
      admitsGuests: false,
      features: { mainNavigation: true, transcription: false },
    })
  })

  it("gives partner rooms the partner's profile", () => {
    expect(readConference({ ...aConference(), ui_profile: 'partner_videoroom' }, server)).toMatchObject({
      isPartnerRoom: true,
      features: {
        mainNavigation: false,
        chat: true,
        transcription: false,
        recordingControls: false,
        screenSharing: true,
        files: true,
        reactions: true,
      },
    })
  })

  it('reads whether the room is recorded automatically', () => {
    const recorded = aConference({ recording: { mode: 'automatic' } })
    expect(readConference(recorded, server)).toMatchObject({ isRecorded: true })
  })

  it('rejects a body that the server would not send', () => {
    for (const body of [null, 'hello', {}]) expect(readConference(body, server)).toBeNull()
  })
})

describe('readServerInfo', () => {
  it('reads what the page needs', () => {
    const info = { guests_allowed: false, transcription_available: true }
    expect(readServerInfo(info)).toEqual({ admitsGuests: false, transcribes: true, languages: [] })
    const languages = { ...info, transcription_languages: ['de', 'pt-BR', 5, '<b>', ''] }
    expect(readServerInfo(languages)?.languages).toEqual(['de', 'pt-BR'])
    for (const body of [null, 'hello', {}, { guests_allowed: 'yes' }]) expect(readServerInfo(body)).toBeNull()
  })
})
