import { Hand } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import type { JoinedState } from '../joined-state.ts'
import type { Room } from '../room.ts'
import { ControlButton } from './ControlButton.tsx'

/** Shows the state on the server, which everybody sees. */
export function HandButton({ room, joined: { me } }: { room: Room; joined: JoinedState }) {
  const { t } = useTexts()
  const isUp = me.hand_raised_at_ms !== null
  return (
    <ControlButton
      icon={Hand}
      label={t('room.hand')}
      caption={t('bar.hand')}
      hint={isUp ? t('room.lowerHand') : t('room.raiseHand')}
      isOn={isUp}
      shortcut="H"
      // After a failure the button stays as it was.
      onClick={() => void room.call.actions.raiseHand(!isUp).catch(() => {})}
    />
  )
}
