import { useEffect, useRef } from 'react'
import type { RemoteTrack } from '../../call/media/remote-media.ts'
import { useValue } from '../../use-value.ts'
import type { JoinedState } from '../joined-state.ts'
import type { Room } from '../room.ts'
import type { AudioPlayback } from './audio-playback.ts'

/** Plays all remote audio, apart from the videos, so that no change of the stage interrupts it. */
export function RemoteAudio({ room, joined: { session } }: { room: Room; joined: JoinedState }) {
  const remote = useValue(room.call.remote)
  useValue(room.volumes)
  return session.participants.flatMap(({ participant_id, user_id }) => {
    const { microphone, screen_audio } = remote.get(participant_id) ?? {}
    const player = (remoteTrack: RemoteTrack | undefined, volume: number) =>
      remoteTrack?.track && (
        <AudioTrack
          key={remoteTrack.publicationId}
          track={remoteTrack.track}
          isPaused={remoteTrack.paused}
          volume={volume}
          sound={room.audio}
        />
      )
    return [
      player(microphone, room.volumes.of(user_id, 'voice')),
      player(screen_audio, room.volumes.of(user_id, 'screen')),
    ]
  })
}

interface Props {
  track: MediaStreamTrack
  isPaused: boolean
  /** From 0 to 1. */
  volume: number
  sound: AudioPlayback
}

function AudioTrack({ track, isPaused, volume, sound }: Props) {
  const audio = useRef<HTMLAudioElement>(null)
  useEffect(() => (audio.current ? sound.play(audio.current, track) : undefined), [sound, track])
  useEffect(() => {
    if (audio.current) audio.current.volume = volume
  }, [volume])
  // iPhones ignore the volume of an element.
  return <audio ref={audio} muted={isPaused || volume === 0} />
}
