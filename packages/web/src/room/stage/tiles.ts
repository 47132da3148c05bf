import type { SessionView } from '@lectern/control-client'
import type { ParticipantView } from '@lectern/protocol/control/client'
import type { RemoteTrack, RemoteTracks } from '../../call/media/remote-media.ts'
import type { LayoutName } from './layout.ts'
import type { SpotlightState } from './spotlight.ts'

/** What stands on the stage. Its id stays the same through everything that happens to its picture. */
export interface Tile {
  id: string
  is: 'person' | 'screen'
  participant: ParticipantView
  isMe: boolean
  /** What the server sends; one's own picture comes from the own camera. */
  video: RemoteTrack | null
  /** Said of others only: what is known of oneself is known here. */
  isMuted: boolean
}

export const tileIdOf = (is: Tile['is'], participantId: string): string => `${is} ${participantId}`

export function readTileId(id: string): { is: Tile['is']; participantId: string } {
  const [is, participantId = ''] = id.split(' ')
  return { is: is === 'screen' ? 'screen' : 'person', participantId }
}

type Session = Pick<SessionView, 'participants'>

/** Everybody in the order of joining, and after each person what they show. */
export function tilesOf({ participants }: Session, me: ParticipantView, remote: RemoteTracks): Tile[] {
  return participants.flatMap(participant => {
    const { participant_id: id } = participant
    const isMe = id === me.participant_id
    const { camera, microphone, screen } = remote.get(id) ?? {}
    const person: Tile = {
      id: tileIdOf('person', id),
      is: 'person',
      participant,
      isMe,
      video: camera ?? null,
      isMuted: !isMe && microphone?.paused !== false,
    }
    return screen
      ? [person, { ...person, id: tileIdOf('screen', id), is: 'screen', video: screen }]
      : [person]
  })
}

/** From as many people on one of them is large. */
const LARGE_FROM: Record<LayoutName, number> = {
  webinar: 3, // not everybody can be seen well at once
  grid: Number.POSITIVE_INFINITY,
  speaker: 2,
}

/** The tile that is shown large; null: all are equal. What is on a screen wants to be read in every layout. */
export function chooseLarge(
  tiles: readonly Tile[],
  { pinned, speaker }: SpotlightState,
  layout: LayoutName,
): string | null {
  const pick = (is: (tile: Tile) => boolean) => tiles.findLast(is)?.id
  const chosen = pick(({ id }) => id === pinned) ?? pick(({ is }) => is === 'screen')
  if (chosen !== undefined) return chosen
  const people = tiles.filter(({ is }) => is === 'person')
  if (people.length < LARGE_FROM[layout]) return null
  const speaking = people.find(({ participant, isMe }) => !isMe && participant.participant_id === speaker)
  return (speaking ?? people.find(({ isMe }) => !isMe))?.id ?? null
}
