import styles from './Tip.module.css'

/** The tooltip of the button that it is in. */
export function Tip({ hint, shortcut }: { hint: string; shortcut: string | undefined }) {
  return (
    <span className={styles.tip} data-tip aria-hidden="true">
      {hint}
      {shortcut && <kbd>{shortcut}</kbd>}
    </span>
  )
}
