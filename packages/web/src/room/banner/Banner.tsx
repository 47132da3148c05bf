import { Volume2, WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Call } from '../../call/call.ts'
import type { RecoveryState } from '../../call/recovery.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { clock } from '../../time/clock.ts'
import { Button } from '../../ui/Button.tsx'
import { useValue } from '../../use-value.ts'
import type { AudioPlayback } from '../audio/audio-playback.ts'
import styles from './Banner.module.css'
import { BannerText } from './BannerText.tsx'
import { mediaTextKey } from './media-text.ts'
import { NetworkNote } from './NetworkNote.tsx'

type Fault = Exclude<RecoveryState, { is: 'connected' }>

/** The state of the connection, from the first fault until the recovery is complete. */
export function Banner({ call, sound }: { call: Call; sound: AudioPlayback }) {
  const { t } = useTexts()
  const recovery = useValue(call.recovery)
  const isOnline = useOnline()
  const isAudioBlocked = useValue(sound)
  return (
    <div className={styles.banners}>
      <div role="status">
        {recovery.is !== 'connected' && (
          <div className={styles.banner}>
            <BannerText icon={WifiOff}>
              <RecoveryText call={call} recovery={recovery} isOnline={isOnline} />
            </BannerText>
          </div>
        )}
      </div>
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

interface RecoveryTextProps {
  call: Call
  recovery: Fault
  isOnline: boolean
}

function RecoveryText({ call, recovery, isOnline }: RecoveryTextProps) {
  const { t } = useTexts()
  if (recovery.is === 'restoring-media') return <MediaText call={call} />
  if (recovery.is === 'media-unavailable') return t('room.banner.unavailable')
  if (!isOnline) return t('room.banner.offline')
  return (
    <>
      {t('room.banner.reconnecting')} <Elapsed sinceMs={recovery.sinceMs} />
    </>
  )
}

function MediaText({ call }: { call: Call }) {
  const { t } = useTexts()
  const [sinceMs] = useState(Date.now)
  const transport = useValue(call.media.transport)
  return t(`room.banner.${mediaTextKey(transport, useValue(clock) - sinceMs)}`)
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
