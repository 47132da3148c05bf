import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './Banner.module.css'

/** The text of a banner, beside its icon. */
export const BannerText = ({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) => (
  <div className={styles.text}>
    <Icon aria-hidden="true" />
    <p>{children}</p>
  </div>
)
