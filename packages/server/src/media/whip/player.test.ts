import type { MediaSource, SessionState } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { choosePublications, type PlayerChoice } from './player.ts'

const person = (id: string): SessionState['participants'][number] => ({
  participant_id: id,
  user_id: `u-${id}`,
  display_name: id,
  role: 'participant',
  presence: 'here',
  hand_raised_at_ms: null,
  joined_at_ms: 0,
})

const track = (id: string, source: MediaSource, paused = false) => ({
  publication_id: `${id}.${source}`,
  participant_id: id,
  source,
  paused,
})

const both = (id: string) => [track(id, 'microphone'), track(id, 'camera')]

function play(
  publications: SessionState['publications'],
  { speaker = null, ...choice }: PlayerChoice & { speaker?: string | null } = {},
) {
  const participants = ['me', 'anna', 'ben'].map(person)
  const watched = { state: { participants, publications }, speaker, self: 'me' }
  const { audio, video } = choosePublications(watched, choice)
  return [audio?.publication_id, video?.publication_id]
}

describe('the played publications', () => {
  it('are those of the active speaker, initially of the first publisher (WHEP-2)', () => {
    const publications = [...both('ben'), ...both('anna')]
    expect(play([])).toEqual([undefined, undefined])
    expect(play(publications)).toEqual(['anna.microphone', 'anna.camera'])
    expect(play(publications, { speaker: 'ben' })).toEqual(['ben.microphone', 'ben.camera'])
    expect(play(publications, { speaker: 'somebody who has left' })).toEqual([
      'anna.microphone',
      'anna.camera',
    ])
  })

  it('are a shared screen, if any, and the microphone of the speaker (WHEP-2)', () => {
    const publications = [...both('anna'), ...both('ben'), track('anna', 'screen')]
    expect(play(publications, { speaker: 'ben' })).toEqual(['ben.microphone', 'anna.screen'])
    expect(play(publications, { speaker: 'ben', video: 'camera' })).toEqual(['ben.microphone', 'ben.camera'])
    expect(play(both('anna'), { video: 'screen' })).toEqual(['anna.microphone', undefined])
  })

  it('are those of a chosen user (WHEP-2)', () => {
    const publications = [...both('anna'), ...both('ben'), track('anna', 'screen')]
    expect(play(publications, { userId: 'u-ben', speaker: 'anna' })).toEqual(['ben.microphone', 'ben.camera'])
    expect(play(publications, { userId: 'u-anna' })).toEqual(['anna.microphone', 'anna.screen'])
    expect(play(publications, { userId: 'u-carl' })).toEqual([undefined, undefined])
  })

  it('exclude paused ones and those of the player', () => {
    expect(
      play([
        ...both('me'),
        track('me', 'screen'),
        track('anna', 'microphone'),
        track('anna', 'camera', true),
      ]),
    ).toEqual(['anna.microphone', undefined])
  })
})
