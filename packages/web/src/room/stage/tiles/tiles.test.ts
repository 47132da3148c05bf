import { describe, expect, it } from 'vitest'
import type { RemoteTrack } from '../../../call/media/remote-media.ts'
import { aParticipant } from '../../../call/testing/session.ts'
import { tilesOf } from './tiles.ts'

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
