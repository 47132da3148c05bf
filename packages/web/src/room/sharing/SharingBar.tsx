import { MonitorUp } from 'lucide-react'
import type { ScreenShare } from '../../call/media/screen-share.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { useValue } from '../../use-value.ts'
import { TrackVideo } from '../stage/TrackVideo.tsx'
import styles from './SharingBar.module.css'

/** While the own screen is shared: what the others see of it, and a button that stops it. */
export function SharingBar({ screenShare }: { screenShare: ScreenShare }) {
  const { t } = useTexts()
  const { on, track } = useValue(screenShare)
  return (
    <div role="status" className={styles.holder}>
      {on && track && (
        <div className={styles.bar}>
          <div className={styles.preview}>
            <TrackVideo track={track} label={t('sharing.preview')} />
          </div>
          <MonitorUp aria-hidden="true" />
          <p>{t('sharing.on')}</p>
          <Button onClick={screenShare.stop}>{t('sharing.stop')}</Button>
        </div>
      )}
    </div>
  )
}
