import { Captions } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import type { JoinedState } from '../joined-state.ts'
import type { Room } from '../room.ts'
import { ControlButton } from './ControlButton.tsx'

/** Shows captions. While nothing is transcribed it opens the panel, where a moderator starts that. */
export function CaptionsButton({ room, joined: { session } }: { room: Room; joined: JoinedState }) {
  const { t } = useTexts()
  const isOn = useValue(room.captions) && session.transcription
  return (
    <ControlButton
      icon={Captions}
      label={t('transcript.captions')}
      isOn={isOn}
      shortcut="T"
      onClick={() => toggleCaptions(room, session.transcription)}
    />
  )
}

export function toggleCaptions({ captions, panels }: Room, isTranscribed: boolean): void {
  if (isTranscribed) captions.show(!captions.get())
  else panels.toggle('transcript')
}
