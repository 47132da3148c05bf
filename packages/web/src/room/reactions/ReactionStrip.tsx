import { Hand } from 'lucide-react'
import type { RefObject } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import type { JoinedState } from '../joined-state.ts'
import { Popup } from '../popup/Popup.tsx'
import { PopupItem } from '../popup/PopupItem.tsx'
import type { Room } from '../room.ts'
import { ReactionChoice } from './ReactionChoice.tsx'
import styles from './ReactionStrip.module.css'

interface Props {
  room: Room
  joined: JoinedState
  opener: RefObject<HTMLButtonElement | null>
}

/** The reactions above the bar, after their button or key; for moderators the own hand, too. */
export function ReactionStrip({ room: { call, dialogs }, joined: { me }, opener }: Props) {
  const { t } = useTexts()
  const isUp = me.hand_raised_at_ms !== null
  if (useValue(dialogs) !== 'reactions') return null
  return (
    <Popup
      label={t('reactions.title')}
      opener={opener}
      className={styles.strip}
      onClose={() => dialogs.close('reactions')}
    >
      <ReactionChoice call={call} />
      {me.role === 'moderator' && (
        // After a failure it stays as it was.
        <PopupItem
          icon={Hand}
          shortcut="H"
          onClick={() => void call.actions.raiseHand(!isUp).catch(() => {})}
        >
          {isUp ? t('room.lowerHand') : t('room.raiseHand')}
        </PopupItem>
      )}
    </Popup>
  )
}
