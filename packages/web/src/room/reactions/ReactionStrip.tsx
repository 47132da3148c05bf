import type { RefObject } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { Popup } from '../popup/Popup.tsx'
import type { Room } from '../room.ts'
import { ReactionChoice } from './ReactionChoice.tsx'
import styles from './ReactionStrip.module.css'

interface Props {
  room: Room
  opener: RefObject<HTMLButtonElement | null>
}

/** The reactions above the bar, after their button or key. */
export function ReactionStrip({ room: { call, dialogs }, opener }: Props) {
  const { t } = useTexts()
  if (useValue(dialogs) !== 'reactions') return null
  return (
    <Popup
      label={t('reactions.title')}
      opener={opener}
      className={styles.strip}
      onClose={() => dialogs.close('reactions')}
    >
      <ReactionChoice call={call} />
    </Popup>
  )
}
