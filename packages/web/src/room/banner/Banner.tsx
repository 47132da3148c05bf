import { Volume2, WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Call } from '../../call/call.ts'
import type { RecoveryState } from '../../call/recovery.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { clock } from '../../time/clock.ts'
import { Button } from '../../ui/Button.tsx'
import { useValue } from '../../use-value.ts'
import type { AudioPlayback } from '../audio/audio-playback.ts'
import { useModeratorTerm } from '../moderator-term.ts'
import styles from './Banner.module.css'
import { BannerText } from './BannerText.tsx'
import { NetworkNote } from './NetworkNote.tsx'

interface Props {
  call: Call
  sound: AudioPlayback
  /** A part of the code did not load. */
  isIncomplete: boolean
}

/** The state of the connection, from the first fault until the recovery is complete. */
export function Banner({ call, sound, isIncomplete }: Props) {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  const recovery = useValue(call.recovery)
  const isOnline = useOnline()
  const isMediaBlocked = useValue(call.isMediaBlocked)
  const text = textKeyOf(recovery, isOnline, isMediaBlocked)
  const isAudioBlocked = useValue(sound)
  return (
    <div className={styles.banners}>
      <div role="status">
        {text && (
          <div className={styles.banner}>
            <BannerText icon={WifiOff}>
              {t(`room.banner.${text}`, moderator)}{' '}
              {recovery.is === 'reconnecting' && isOnline && <Elapsed sinceMs={recovery.sinceMs} />}
            </BannerText>
          </div>
        )}
      </div>
      {isIncomplete && (
        <div className={styles.banner} role="alert">
          <BannerText icon={WifiOff}>{t('loading.failedText')}</BannerText>
        </div>
      )}
      <NetworkNote call={call} />
      {isAudioBlocked && (
        <div className={styles.banner}>
          <BannerText icon={Volume2}>{t('room.banner.sound')}</BannerText>
          <Button onClick={sound.resume}>{t('room.banner.soundOn')}</Button>
        </div>
      )}
    </div>
  )
}

/** Null: there is no fault. */
function textKeyOf(recovery: RecoveryState, isOnline: boolean, isMediaBlocked: boolean) {
  switch (recovery.is) {
    case 'reconnecting':
      if (!isOnline) return 'offline'
      return recovery.isByServer ? 'server' : 'reconnecting'
    case 'media-unavailable':
      return 'unavailable'
    case 'restoring-media':
      return isMediaBlocked ? 'blocked' : 'media'
    case 'connected':
      return isMediaBlocked ? 'blocked' : null
  }
}

/** Changes every second, so it is hidden from screen readers. */
function Elapsed({ sinceMs }: { sinceMs: number }) {
  const { locale } = useTexts()
  const now = useValue(clock)
  const seconds = Math.max(0, Math.round((now - sinceMs) / 1000))
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', unitDisplay: 'short' })
  return <span aria-hidden="true">{format.format(seconds)}</span>
}

function useOnline(): boolean {
  const [isOnline, setOnline] = useState(navigator.onLine)
  useEffect(() => {
    const stop = new AbortController()
    const update = () => setOnline(navigator.onLine)
    for (const event of ['online', 'offline']) window.addEventListener(event, update, { signal: stop.signal })
    return () => stop.abort()
  }, [])
  return isOnline
}
