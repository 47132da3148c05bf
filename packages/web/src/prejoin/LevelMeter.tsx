import { useState } from 'react'
import type { Level } from '../devices/level.ts'
import { useTexts } from '../texts/use-texts.ts'
import { useValue } from '../use-value.ts'
import styles from './LevelMeter.module.css'

const BARS = 12
/** Louder than a quiet room. */
const DETECTED_LEVEL = 0.35

/** Shows the microphone level; also in words, for reduced motion. */
export function LevelMeter({ level }: { level: Level }) {
  const { t } = useTexts()
  const value = useValue(level)
  const [isDetected, setDetected] = useState(false)
  if (!isDetected && value > DETECTED_LEVEL) setDetected(true)
  return (
    <div className={styles.meter}>
      <div className={styles.bars} aria-hidden="true">
        {Array.from({ length: BARS }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is nothing but its place
          <span key={index} className={value * BARS > index ? styles.lit : styles.bar} />
        ))}
      </div>
      <p className={styles.words} role="status">
        {isDetected ? t('prejoin.levelDetected') : t('prejoin.levelQuiet')}
      </p>
    </div>
  )
}
