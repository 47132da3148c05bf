import styles from './Switch.module.css'

interface Props {
  label: string
  on: boolean
  onChange: (on: boolean) => void
}

/** Shows how things are: it moves when the server has agreed. */
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
