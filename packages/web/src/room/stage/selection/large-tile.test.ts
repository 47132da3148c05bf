import { describe, expect, it } from 'vitest'
import { aParticipant, aPublication } from '../../../call/testing/session.ts'
import { tilesOf } from '../tiles/tiles.ts'
import { chooseLarge } from './large-tile.ts'
import { LAYOUTS, type LayoutName } from './layout.ts'

const me = aParticipant('me')
const anna = aParticipant('anna', { user_id: '8' })
const mia = aParticipant('mia', { user_id: '9' })
const teacher = aParticipant('teacher', { user_id: '10', role: 'moderator' })
const NOTHING = { pinned: null, speaker: null }

type Participants = Parameters<typeof tilesOf>[0]['participants']

/** The choice among these people, of whom some share their screens, the first one first. */
function choose(
  participants: Participants,
  layout: LayoutName,
  parts: { sharing?: string[]; pinned?: string; speaker?: string; spotlit?: string } = {},
): string | null {
  const { sharing = [], spotlit = null, ...spotlight } = parts
  const publications = sharing.map(id =>
    aPublication({ publication_id: `screen-${id}`, participant_id: id, source: 'screen' }),
  )
  const remote = new Map(
    // By participant, as the page lists them: the order of the shares is that of the publications.
    [...sharing].reverse().map(id => {
      const screen = { publicationId: `screen-${id}`, source: 'screen', track: null, paused: false } as const
      return [id, { screen }]
    }),
  )
  const session = { publications, spotlight_user_id: spotlit }
  return chooseLarge(tilesOf({ participants }, me, remote), session, { ...NOTHING, ...spotlight }, layout)
}

describe('chooseLarge', () => {
  it('keeps two people equal in the layout of partner rooms, regardless of the speaker', () => {
    expect(choose([me, anna], 'webinar', { speaker: 'anna' })).toBeNull()
  })

  it('selects the speaker from three people on, and another participant before anybody has spoken', () => {
    expect(choose([me, anna, mia], 'webinar', { speaker: 'mia' })).toBe('person mia')
    expect(choose([me, anna, mia], 'webinar')).toBe('person anna')
    expect(choose([me, anna, mia], 'webinar', { speaker: 'gone' })).toBe('person anna')
  })

  it('keeps the grid equal, except for a screen and a pinned tile', () => {
    expect(choose([me, anna, mia], 'grid', { speaker: 'mia' })).toBeNull()
    expect(choose([me, anna], 'grid', { sharing: ['anna'] })).toBe('screen anna')
    expect(choose([me, anna, mia], 'grid', { pinned: 'person me', speaker: 'mia' })).toBe('person me')
  })

  it('selects the speaker in the speaker layout, from two people on', () => {
    expect(choose([me], 'speaker')).toBeNull()
    expect(choose([me, anna], 'speaker')).toBe('person anna')
    expect(choose([me, anna, teacher], 'speaker', { speaker: 'anna' })).toBe('person anna')
  })

  it('selects the moderator in a presentation without a screen, regardless of the speaker', () => {
    expect(choose([me, anna, teacher], 'presentation', { speaker: 'anna' })).toBe('person teacher')
    expect(choose([me, anna, mia], 'presentation', { speaker: 'mia' })).toBe('person mia')
  })

  it.each(LAYOUTS)('prefers a screen to people and the pinned tile to all: %s', layout => {
    expect(choose([me, anna], layout, { sharing: ['anna'], speaker: 'anna' })).toBe('screen anna')
    expect(choose([me, anna], layout, { sharing: ['anna'], pinned: 'person anna' })).toBe('person anna')
    expect(choose([me, anna, mia], layout, { sharing: ['anna', 'mia'], pinned: 'screen mia' })).toBe(
      'screen mia',
    )
  })

  it.each(LAYOUTS)(
    'never lets a later screen replace an earlier one, unless it is a moderator’s: %s',
    layout => {
      const people = [me, anna, mia, teacher]
      expect(choose(people, layout, { sharing: ['mia', 'anna'] })).toBe('screen mia')
      expect(choose(people, layout, { sharing: ['teacher', 'anna'] })).toBe('screen teacher')
      expect(choose(people, layout, { sharing: ['anna', 'teacher'] })).toBe('screen teacher')
    },
  )

  it.each(LAYOUTS)(
    'shows the person in the spotlight, below the viewer’s pin and a moderator’s screen: %s',
    layout => {
      const people = [me, anna, mia, teacher]
      const parts = { spotlit: mia.user_id, speaker: 'anna' }
      expect(choose(people, layout, parts)).toBe('person mia')
      expect(choose(people, layout, { ...parts, sharing: ['anna'] })).toBe('person mia')
      expect(choose(people, layout, { ...parts, sharing: ['anna', 'mia'] })).toBe('screen mia')
      expect(choose(people, layout, { ...parts, sharing: ['anna', 'teacher'] })).toBe('screen teacher')
      expect(choose(people, layout, { ...parts, pinned: 'person anna' })).toBe('person anna')
      expect(choose(people, layout, { spotlit: 'gone', sharing: ['anna'] })).toBe('screen anna')
    },
  )

  it('does not show participants large to themselves because they are in the spotlight', () => {
    expect(choose([me, anna, mia], 'webinar', { spotlit: me.user_id, speaker: 'mia' })).toBe('person mia')
  })

  it('ignores a pinned tile that no longer exists', () => {
    expect(choose([me, anna], 'webinar', { pinned: 'screen anna' })).toBeNull()
  })
})
