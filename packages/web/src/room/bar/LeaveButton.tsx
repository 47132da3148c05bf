import { ChevronUp, CircleStop, LogOut } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { useModeratorTerm } from '../moderator-term.ts'
import { Popup } from '../popup/Popup.tsx'
import { PopupItem } from '../popup/PopupItem.tsx'
import type { Room } from '../room.ts'
import styles from './LeaveButton.module.css'

/** Leaves the room. Beside it, moderators choose between leaving and the end for everybody. */
export function LeaveButton({ room, canEnd }: { room: Room; canEnd: boolean }) {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  return (
    <div className={styles.leaving}>
      <button type="button" className={styles.leave} onClick={room.leave}>
        <LogOut aria-hidden="true" />
        <span className={styles.label}>{t('room.leave')}</span>
      </button>
      {canEnd && (
        <button
          ref={opener}
          type="button"
          className={styles.more}
          aria-label={t('bar.exit')}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronUp aria-hidden="true" />
        </button>
      )}
      {isOpen && (
        <Popup
          label={t('bar.exit')}
          opener={opener}
          className={styles.choices}
          onClose={() => setOpen(false)}
        >
          <PopupItem icon={LogOut} onClick={room.leave}>
            {t('bar.leave', moderator)}
          </PopupItem>
          <PopupItem icon={CircleStop} danger onClick={() => room.dialogs.show('end')}>
            {t('bar.end')}
          </PopupItem>
        </Popup>
      )}
    </div>
  )
}
