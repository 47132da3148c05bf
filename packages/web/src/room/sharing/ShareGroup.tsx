import { ChevronUp, MonitorUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { ControlButton } from '../bar/ControlButton.tsx'
import styles from '../bar/InputGroup.module.css'
import { canShareScreen, ShareButton } from '../bar/ShareButton.tsx'
import { useRoomParts } from '../parts.ts'
import { Popup } from '../popup/Popup.tsx'
import { type ShareParts, sharesOf } from './share-choices.ts'

/** Shares the screen; beside it, what else can be shared. */
export function ShareGroup(props: ShareParts) {
  const { t } = useTexts()
  const parts = useRoomParts()
  const { board, call, features } = props.room
  useValue(board)
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const { slides, file } = sharesOf(props)
  const hasScreen = features.screenSharing && canShareScreen()
  const hasOther = slides || file
  if (!hasScreen && !hasOther) return null
  return (
    <div className={styles.group}>
      {hasScreen ? (
        <ShareButton call={call} isPermitted={props.may.screen} />
      ) : (
        <ControlButton
          icon={MonitorUp}
          label={t('bar.share')}
          isOpen={isOpen}
          button={opener}
          onClick={() => setOpen(!isOpen)}
        />
      )}
      {hasScreen && hasOther && (
        <button
          ref={opener}
          type="button"
          className={styles.menu}
          aria-label={t('bar.shareOther')}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronUp aria-hidden="true" />
        </button>
      )}
      {isOpen && parts && (
        <Popup label={t('bar.shareOther')} opener={opener} side="start" onClose={() => setOpen(false)}>
          <parts.ShareMenu {...props} />
        </Popup>
      )}
    </div>
  )
}
