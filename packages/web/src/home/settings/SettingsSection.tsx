import { type ReactNode, useId } from 'react'
import styles from './SettingsPage.module.css'

interface Props {
  title: string
  hint?: string
  children: ReactNode
}

export function SettingsSection({ title, hint, children }: Props) {
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id} className={styles.heading}>
        {title}
      </h2>
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      {children}
    </section>
  )
}
