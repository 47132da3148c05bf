import { initialsOf } from '@lectern/common'
import styles from './Tile.module.css'

/** Shown instead of a video. */
export function Initials({ name }: { name: string }) {
  return (
    <div className={styles.blank} aria-hidden="true">
      <span className={styles.initials}>{initialsOf(name)}</span>
    </div>
  )
}
