import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from './Card.tsx'
import styles from './Message.module.css'

interface Props {
  icon: LucideIcon
  title: string
  text: string
  /** On a page with a heading of its own. */
  isPart?: boolean
  children?: ReactNode
}

/** A message with its actions, in place of the content of a page. */
export function Message({ icon: Icon, title, text, isPart = false, children }: Props) {
  const Heading = isPart ? 'h2' : 'h1'
  return (
    <Card>
      <div className={styles.message}>
        <span className={styles.icon}>
          <Icon aria-hidden="true" />
        </span>
        <Heading className={styles.title}>{title}</Heading>
        <p className={styles.text}>{text}</p>
        {children}
      </div>
    </Card>
  )
}
