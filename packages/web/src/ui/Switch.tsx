import styles from './Switch.module.css'

interface Props {
  label: string
  on: boolean
  onChange: (on: boolean) => void
}

/** Shows the present state: it changes when the server has accepted the change. */
export function Switch({ label, on, onChange }: Props) {
  return (
    <label className={styles.line}>
      <span>{label}</span>
      <input
        type="checkbox"
        className={styles.switch}
        checked={on}
        onChange={({ target }) => onChange(target.checked)}
      />
    </label>
  )
}
