import { type ComponentProps, useContext, useId } from 'react'
import { AnnouncedError } from './announced-error.ts'
import styles from './Field.module.css'

interface Props extends Omit<ComponentProps<'input'>, 'onChange'> {
  label: string
  onChange: (value: string) => void
  /** The validation error; null: none. */
  error?: string | null
}

/** A labelled text field. Its `Form` announces the error. */
export function Field({ label, onChange, error = null, ...input }: Props) {
  const id = useId()
  const errorId = `${id}-error`
  const announced = useContext(AnnouncedError)
  const isAnnounced = announced?.errorId === errorId
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
        aria-describedby={error === null ? undefined : errorId}
      />
      {error !== null && (
        // Browsers announce an alert that is inserted.
        <p
          key={isAnnounced ? announced.submits : 0}
          id={errorId}
          className={styles.error}
          role={isAnnounced ? 'alert' : undefined}
        >
          {error}
        </p>
      )}
    </div>
  )
}
