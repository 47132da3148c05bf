import styles from './parts.module.css'

/** What was sent, as JSON, which is written from left to right in every language. */
export function Payload({ label, value }: { label: string; value: unknown }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard, too
    <pre className={styles.payload} dir="ltr" tabIndex={0} role="region" aria-label={label}>
      {JSON.stringify(value, null, 2)}
    </pre>
  )
}
