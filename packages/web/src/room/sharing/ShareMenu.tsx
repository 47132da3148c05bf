import { MonitorUp } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { canShareScreen } from '../bar/ShareButton.tsx'
import { PopupItem } from '../popup/PopupItem.tsx'
import { type ShareParts, useShareChoices } from './share-choices.ts'

/** The choice of things to share: the screen, slides, a file. */
export function ShareMenu(props: ShareParts) {
  const { t } = useTexts()
  const { features, call } = props.room
  const { screenShare } = call.local
  const { on } = useValue(screenShare)
  return (
    <>
      {features.screenSharing && canShareScreen() && props.may.screen && !on && (
        <PopupItem icon={MonitorUp} shortcut="S" onClick={() => void screenShare.start()}>
          {t('room.share')}
        </PopupItem>
      )}
      {useShareChoices(props).map(({ icon, label, choose }) => (
        <PopupItem key={label} icon={icon} onClick={choose}>
          {label}
        </PopupItem>
      ))}
    </>
  )
}
