import { Volume2, WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Call, LinkState } from '../../call/call.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { clock } from '../../time/clock.ts'
import { describeCountdown } from '../../time/format.ts'
import { Button } from '../../ui/Button.tsx'
import { useValue } from '../../use-value.ts'
import type { Sound } from '../sound/sound.ts'
import styles from './Banner.module.css'
import { type Trouble, troubleOf } from './trouble.ts'

/** What keeps people apart right now. It is gone when that is. */
export function Banner({ call, link, sound }: { call: Call; link: LinkState; sound: Sound }) {
  const { t } = useTexts()
  const trouble = troubleOf(link, useValue(call.plane), useValue(call.plane.flow), useOnline())
  const isHeldBack = useValue(sound)
  return (
    <div className={styles.banners}>
      <div role="status">
        {trouble && (
          <div className={styles.banner}>
            <WifiOff aria-hidden="true" />
            <p>
              {t(`room.banner.${trouble.is}`)} <Time trouble={trouble} />
            </p>
          </div>
        )}
      </div>
      {isHeldBack && (
        <div className={styles.banner}>
          <Volume2 aria-hidden="true" />
          <p>{t('room.banner.sound')}</p>
          <Button onClick={sound.allow}>{t('room.banner.soundOn')}</Button>
        </div>
      )}
    </div>
  )
}

/** It changes every second, which is not for the ear. */
function Time({ trouble }: { trouble: Trouble }) {
  const { t, locale } = useTexts()
  const now = useValue(clock)
  if (trouble.is === 'waiting') {
    return (
      <span aria-hidden="true">
        {t('room.banner.next', { when: describeCountdown(trouble.until, now, { locale }) })}
      </span>
    )
  }
  if (trouble.is !== 'reconnecting') return null
  const seconds = Math.max(0, Math.round((now - trouble.since) / 1000))
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', unitDisplay: 'short' })
  return <span aria-hidden="true">{format.format(seconds)}</span>
}

function useOnline(): boolean {
  const [isOnline, setOnline] = useState(navigator.onLine)
  useEffect(() => {
    const stop = new AbortController()
    const look = () => setOnline(navigator.onLine)
    for (const event of ['online', 'offline']) window.addEventListener(event, look, { signal: stop.signal })
    return () => stop.abort()
  }, [])
  return isOnline
}
