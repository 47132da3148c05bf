import { MonitorUp, MousePointer2, Volume2, VolumeX } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { PanelButton } from '../../ui/PanelButton.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { useValue } from '../../use-value.ts'
import type { Room } from '../room.ts'
import { TrackVideo } from '../stage/video/TrackVideo.tsx'
import styles from './SharingBar.module.css'

/** While the own screen is shared: what the others see, whether its sound is on, a pointer, and a button that stops it. */
export function SharingBar({ room: { call, pointing } }: { room: Room }) {
  const { t } = useTexts()
  const { screenShare } = call.local
  const { on, track, sound, isForVideo } = useValue(screenShare)
  const isPointing = useValue(pointing)
  return (
    <div role="status" className={styles.holder}>
      {on && track && (
        <div className={styles.bar}>
          <div className={styles.preview}>
            <TrackVideo track={track} label={t('sharing.preview')} />
          </div>
          <MonitorUp aria-hidden="true" />
          <p>{sound === 'on' ? t('sharing.onWithSound') : t('sharing.on')}</p>
          <Button onClick={screenShare.stop}>{t('sharing.stop')}</Button>
          <div className={styles.tools}>
            {(sound === 'on' || sound === 'off') && (
              <PanelButton
                icon={sound === 'on' ? Volume2 : VolumeX}
                label={sound === 'on' ? t('sharing.soundOff') : t('sharing.soundOn')}
                onClick={screenShare.toggleSound}
                iconOnly
              />
            )}
            <PanelButton
              icon={MousePointer2}
              label={t('pointer.start')}
              isOn={isPointing}
              onClick={pointing.toggle}
              iconOnly
            />
            <Switch label={t('sharing.forVideo')} on={isForVideo} onChange={screenShare.optimiseForVideo} />
          </div>
        </div>
      )}
    </div>
  )
}
