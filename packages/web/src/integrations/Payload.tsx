import styles from './parts.module.css'

/** The content of a delivery as JSON, which is written from left to right in every language. */
export function Payload({ label, value }: { label: string; value: unknown }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard, too
    <section className={styles.payload} dir="ltr" tabIndex={0} aria-label={label}>
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </section>
  )
}
