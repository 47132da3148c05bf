import type { ReactNode } from 'react'
import styles from './Facts.module.css'

interface Fact {
  name: string
  value: ReactNode
  /** The value has a line of its own. */
  isLong?: boolean
}

interface Props {
  title: string
  facts: readonly Fact[]
  /** At the end of the title: the menu of the thing. */
  menu?: ReactNode
  /** Buttons below. */
  children?: ReactNode
}

/** Names and values about one thing. */
export function Facts({ title, facts, menu, children }: Props) {
  return (
    <section className={styles.card} aria-label={title}>
      <div className={styles.header}>
        <h2 className={styles.title}>
          <bdi>{title}</bdi>
        </h2>
        {menu}
      </div>
      <dl className={styles.facts}>
        {facts.map(({ name, value, isLong }) => (
          <div key={name} data-long={isLong}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {children && <div className={styles.buttons}>{children}</div>}
    </section>
  )
}
