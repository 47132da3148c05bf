import { initialsOf } from '@lectern/common'
import type { LucideIcon } from 'lucide-react'
import styles from './Avatar.module.css'

const COLORS = [styles.color0, styles.color1, styles.color2, styles.color3, styles.color4, styles.color5]

interface Props {
  name: string
  /** The same id has the same colour everywhere. */
  id: string
  /** Shown in place of the initials. */
  icon?: LucideIcon
}

/** Initials in a circle. */
export function Avatar({ name, id, icon: Icon }: Props) {
  const sum = [...id].reduce((total, sign) => total + (sign.codePointAt(0) ?? 0), 0)
  return (
    <span className={`${styles.avatar} ${COLORS[sum % COLORS.length]}`} aria-hidden="true">
      {Icon ? <Icon /> : initialsOf(name)}
    </span>
  )
}
