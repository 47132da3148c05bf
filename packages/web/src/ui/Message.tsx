import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from './Card.tsx'
import styles from './Message.module.css'

interface Props {
  icon: LucideIcon
  title: string
  text: string
  children?: ReactNode
}

/** A full-page message with its actions. */
export function Message({ icon: Icon, title, text, children }: Props) {
  return (
    <Card>
      <div className={styles.message}>
        <span className={styles.icon}>
          <Icon aria-hidden="true" />
        </span>
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.text}>{text}</p>
        {children}
      </div>
    </Card>
  )
}
