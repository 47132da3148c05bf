import { describe, expect, it } from 'vitest'
import type { RemoteTrack } from '../../call/media/remote-media.ts'
import { aParticipant } from '../../call/testing/session.ts'
import { layOutTiles } from './tile-layout.ts'
import { chooseLarge, tilesOf } from './tiles.ts'

const me = aParticipant('me')
const anna = aParticipant('anna', { user_id: '8' })
const mia = aParticipant('mia', { user_id: '9' })
const aTrack = (parts: Partial<RemoteTrack> = {}): RemoteTrack => ({
  publicationId: 'pub',
  source: 'camera',
  track: null,
  paused: false,
  ...parts,
})
const NOTHING = { pinned: null, speaker: null }

describe('tilesOf', () => {
  it('has a tile for each participant in join order, and each shared screen after its owner', () => {
    const screen = aTrack({ source: 'screen' })
    const tiles = tilesOf({ participants: [anna, me, mia] }, me, new Map([['anna', { screen }]]))
    expect(tiles.map(({ id, isMe }) => [id, isMe])).toEqual([
      ['person anna', false],
      ['screen anna', false],
      ['person me', true],
      ['person mia', false],
    ])
    expect(tiles[1]?.video).toBe(screen)
  })

  it('treats participants without audio as muted', () => {
    const microphone = aTrack({ source: 'microphone' })
    const muted = (remote: Parameters<typeof tilesOf>[2]) =>
      tilesOf({ participants: [anna] }, me, remote)[0]?.isMuted
    expect(muted(new Map())).toBe(true)
    expect(muted(new Map([['anna', { microphone: { ...microphone, paused: true } }]]))).toBe(true)
    expect(muted(new Map([['anna', { microphone }]]))).toBe(false)
  })
})

describe('chooseLarge', () => {
  const two = tilesOf({ participants: [me, anna] }, me, new Map())
  const three = tilesOf({ participants: [me, anna, mia] }, me, new Map())
  const shared = tilesOf({ participants: [me, anna] }, me, new Map([['anna', { screen: aTrack() }]]))

  it('keeps two people equal, whoever speaks', () => {
    expect(chooseLarge(two, { pinned: null, speaker: 'anna' }, 'webinar')).toBeNull()
  })

  it('selects the speaker from three people on, and another participant before anybody has spoken', () => {
    expect(chooseLarge(three, { pinned: null, speaker: 'mia' }, 'webinar')).toBe('person mia')
    expect(chooseLarge(three, NOTHING, 'webinar')).toBe('person anna')
    expect(chooseLarge(three, { pinned: null, speaker: 'gone' }, 'webinar')).toBe('person anna')
  })

  it('prefers a screen to people, and a pinned tile to all', () => {
    expect(chooseLarge(shared, { pinned: null, speaker: 'anna' }, 'webinar')).toBe('screen anna')
    expect(chooseLarge(shared, { pinned: 'person anna', speaker: null }, 'webinar')).toBe('person anna')
    expect(chooseLarge(two, { pinned: 'person me', speaker: null }, 'webinar')).toBe('person me')
  })

  it('keeps the grid equal, except for a screen and a pinned tile', () => {
    expect(chooseLarge(three, { pinned: null, speaker: 'mia' }, 'grid')).toBeNull()
    expect(chooseLarge(shared, NOTHING, 'grid')).toBe('screen anna')
    expect(chooseLarge(three, { pinned: 'person me', speaker: 'mia' }, 'grid')).toBe('person me')
  })

  it('selects the speaker in the speaker layout, from two people on', () => {
    const one = tilesOf({ participants: [me] }, me, new Map())
    expect(chooseLarge(one, NOTHING, 'speaker')).toBeNull()
    expect(chooseLarge(two, NOTHING, 'speaker')).toBe('person anna')
    expect(chooseLarge(three, { pinned: null, speaker: 'mia' }, 'speaker')).toBe('person mia')
  })

  it('ignores a pinned tile that is gone', () => {
    expect(chooseLarge(two, { pinned: 'screen anna', speaker: null }, 'webinar')).toBeNull()
  })
})

describe('layOutTiles', () => {
  const size = { width: 1256, height: 610 }
  const many = Array.from({ length: 40 }, (_, at) => aParticipant(`p${at}`, { user_id: `${at}` }))

  it('reserves a tile next to a participant who is alone, who then does not move', () => {
    const [one, two] = [[me], [me, anna]].map(participants => tilesOf({ participants }, me, new Map()))
    const alone = layOutTiles(size, one ?? [], null, true).rects
    const together = layOutTiles(size, two ?? [], null, false).rects
    expect(alone.get('person me')).toEqual(together.get('person me'))
    expect(alone.get('alone')).toEqual(together.get('person anna'))
  })

  it('counts the tiles that do not fit', () => {
    const tiles = tilesOf({ participants: many }, me, new Map())
    for (const large of [null, 'person p3']) {
      const { rects, more } = layOutTiles(size, tiles, large, false)
      expect(rects.size + more).toBe(40)
      expect(more).toBeGreaterThan(0)
    }
  })

  it('is empty before the stage has a size', () => {
    expect(layOutTiles({ width: 0, height: 0 }, [], null, true)).toEqual({ rects: new Map(), more: 0 })
  })
})
