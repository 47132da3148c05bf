import { useId } from 'react'
import { useValue } from '../../use-value.ts'
import type { VolumeOf, Volumes } from '../audio/volumes.ts'
import styles from './VolumeSlider.module.css'

interface Props {
  volumes: Volumes
  userId: string
  what: VolumeOf
  label: string
}

/** The playback volume of a person for this viewer. */
export function VolumeSlider({ volumes, userId, what, label }: Props) {
  const id = useId()
  useValue(volumes)
  const percent = Math.round(100 * volumes.of(userId, what))
  return (
    <div className={styles.line}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="range"
        className={styles.slider}
        min={0}
        max={100}
        step={5}
        value={percent}
        aria-valuetext={`${percent} %`}
        onChange={({ target }) => volumes.choose(userId, what, Number(target.value) / 100)}
      />
    </div>
  )
}
