import { useEffect, useRef } from 'react'
import type { Call } from '../../call/call.ts'
import { useValue } from '../../use-value.ts'
import type { AudioPlayback } from './audio-playback.ts'

/** Plays all remote audio, apart from the videos, so that no change of the stage interrupts it. */
export function RemoteAudio({ call, sound }: { call: Call; sound: AudioPlayback }) {
  const remote = useValue(call.remote)
  const sources = [...remote.values()].flatMap(({ microphone, screen_audio }) => [microphone, screen_audio])
  return sources.map(
    each =>
      each?.track && (
        <AudioTrack key={each.publicationId} track={each.track} isPaused={each.paused} sound={sound} />
      ),
  )
}

interface Props {
  track: MediaStreamTrack
  isPaused: boolean
  sound: AudioPlayback
}

function AudioTrack({ track, isPaused, sound }: Props) {
  const audio = useRef<HTMLAudioElement>(null)
  useEffect(() => (audio.current ? sound.play(audio.current, track) : undefined), [sound, track])
  return <audio ref={audio} muted={isPaused} />
}
