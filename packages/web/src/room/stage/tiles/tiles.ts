import type { SessionView } from '@lectern/control-client'
import type { ParticipantView } from '@lectern/protocol/control/client'
import type { RemoteTrack, RemoteTracks } from '../../../call/media/remote-media.ts'

/** A tile on the stage. Its id does not change with its video. */
export interface Tile {
  id: string
  is: 'person' | 'screen'
  participant: ParticipantView
  isMe: boolean
  /** Remote video; the own video comes from the camera directly. */
  video: RemoteTrack | null
  /** Only for other participants. */
  isMuted: boolean
}

export const tileIdOf = (is: Tile['is'], participantId: string): string => `${is} ${participantId}`

export function readTileId(id: string): { is: Tile['is']; participantId: string } {
  const [is, participantId = ''] = id.split(' ')
  return { is: is === 'screen' ? 'screen' : 'person', participantId }
}

type Session = Pick<SessionView, 'participants'>

/** Participants in join order, each followed by their shared screen; the own screen only while its presenter points at it. */
export function tilesOf(
  { participants }: Session,
  me: ParticipantView,
  remote: RemoteTracks,
  isPointing = false,
): Tile[] {
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
    return screen || (isMe && isPointing)
      ? [person, { ...person, id: tileIdOf('screen', id), is: 'screen', video: screen ?? null }]
      : [person]
  })
}
