import styles from './Tile.module.css'

/** Shown instead of a video. */
export function Initials({ name }: { name: string }) {
  return (
    <div className={styles.blank} aria-hidden="true">
      <span className={styles.initials}>{initialsOf(name)}</span>
    </div>
  )
}

/** Initials of the first and the last word, in any script. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words
  return letters
    .map(word => [...(word ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase()
}
