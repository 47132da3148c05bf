import { type ComponentProps, useId } from 'react'
import styles from './Field.module.css'

interface Props extends Omit<ComponentProps<'input'>, 'onChange'> {
  label: string
  onChange: (value: string) => void
  /** The validation error; null: none. */
  error?: string | null
}

/** A labelled text field. */
export function Field({ label, onChange, error = null, ...input }: Props) {
  const id = useId()
  return (
    <div className={styles.line}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input
        {...input}
        id={id}
        className={styles.field}
        onChange={({ target }) => onChange(target.value)}
        aria-invalid={error !== null || input['aria-invalid'] === true}
        aria-describedby={error === null ? undefined : `${id}-error`}
      />
      {error !== null && (
        <p id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
