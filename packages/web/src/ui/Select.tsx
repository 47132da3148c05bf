import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import styles from './Select.module.css'

interface Props<T extends string> {
  label: string
  /** `lang`: the language of a label that is not in the page's language. */
  options: readonly { value: T; label: string; lang?: string }[]
  value: T
  onChange: (value: T) => void
}

/** A labelled choice. */
export function Select<T extends string>({ label, options, value, onChange }: Props<T>) {
  const id = useId()
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.box}>
        <select id={id} value={value} onChange={({ target }) => onChange(target.value as T)}>
          {options.map(option => (
            <option key={option.value} value={option.value} lang={option.lang}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown aria-hidden="true" />
      </div>
    </div>
  )
}
