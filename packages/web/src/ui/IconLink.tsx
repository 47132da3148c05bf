import type { LucideIcon } from 'lucide-react'
import { Link } from '../site/Link.tsx'
import styles from './IconLink.module.css'

/** A link that shows an icon only. */
export function IconLink({ icon: Icon, label, href }: { icon: LucideIcon; label: string; href: string }) {
  return (
    <Link href={href} className={styles.link} aria-label={label} title={label}>
      <Icon aria-hidden="true" />
    </Link>
  )
}
