import styles from './Badge.module.css'

export type Tone = 'good' | 'warm' | 'bad' | 'plain'

/** A state as a coloured word. */
export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>
}
