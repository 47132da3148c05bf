import styles from './Tile.module.css'

/** In place of a picture. */
export function Initials({ name }: { name: string }) {
  return (
    <div className={styles.blank} aria-hidden="true">
      <span className={styles.initials}>{initialsOf(name)}</span>
    </div>
  )
}

/** Of the first and the last word, as people write them in every language that has letters. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words
  return letters
    .map(word => [...(word ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase()
}
