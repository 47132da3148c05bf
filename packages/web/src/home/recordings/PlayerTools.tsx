import { Download, RotateCcw, RotateCw } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { PanelButton } from '../../ui/PanelButton.tsx'
import { Select } from '../../ui/Select.tsx'
import styles from './PlayerTools.module.css'

const SKIP_SECONDS = 10
const SPEEDS = ['0.75', '1', '1.25', '1.5', '1.75', '2'] as const

interface Props {
  video: RefObject<HTMLVideoElement | null>
  /** Resolves with whether it succeeded. */
  onSave: () => Promise<boolean>
}

/** The tools that the browser's player lacks: ten seconds back and forward, the speed, and the download of the file. */
export function PlayerTools({ video, onSave }: Props) {
  const { t, locale } = useTexts()
  const [speed, setSpeed] = useState<(typeof SPEEDS)[number]>('1')
  const [hasFailed, setFailed] = useState(false)
  const skip = (seconds: number) => {
    if (video.current) video.current.currentTime += seconds
  }
  const play = (chosen: (typeof SPEEDS)[number]) => {
    setSpeed(chosen)
    if (!video.current) return
    // The default is kept when the address of the file is renewed.
    video.current.defaultPlaybackRate = Number(chosen)
    video.current.playbackRate = Number(chosen)
  }
  const format = new Intl.NumberFormat(locale)
  return (
    <div className={styles.tools}>
      <PanelButton
        icon={RotateCcw}
        label={t('recordings.skipBack', { seconds: SKIP_SECONDS })}
        text={format.format(SKIP_SECONDS)}
        onClick={() => skip(-SKIP_SECONDS)}
      />
      <PanelButton
        icon={RotateCw}
        label={t('recordings.skipForward', { seconds: SKIP_SECONDS })}
        text={format.format(SKIP_SECONDS)}
        onClick={() => skip(SKIP_SECONDS)}
      />
      <Select
        label={t('recordings.speed')}
        options={SPEEDS.map(value => ({ value, label: `${format.format(Number(value))} ×` }))}
        value={speed}
        onChange={play}
      />
      <PanelButton
        icon={Download}
        label={t('recordings.downloadVideo')}
        onClick={() => void onSave().then(isDone => setFailed(!isDone))}
      />
      {hasFailed && (
        <p className={styles.failed} role="alert">
          {t('recordings.notDone')}
        </p>
      )}
    </div>
  )
}
