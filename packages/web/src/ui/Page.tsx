import { type ReactNode, useEffect } from 'react'
import { documentTitle } from '../site/document-title.ts'
import { Logo } from './Logo.tsx'
import styles from './Page.module.css'

interface Props {
  /** The title of the tab. It MUST NOT contain any part of the URL. */
  title: string
  /** Announced to screen readers whenever it changes. */
  status: string
  /** At the end of the header. */
  corner?: ReactNode
  /** On a small window the content has all of it, and scrolls by itself; of the header only the corner remains. */
  fills?: boolean
  /** The brand of the partner whose room it is. */
  brand?: string | null
  children: ReactNode
}

/** The frame of all pages except the room. */
export function Page({ title, status, corner, fills = false, brand = null, children }: Props) {
  useEffect(() => {
    documentTitle.setPage(title)
  }, [title])

  return (
    <div className={fills ? styles.filledPage : styles.page}>
      <header className={styles.header}>
        {brand === null && <Logo className={styles.logo} />}
        <span className={styles.name}>
          <bdi>{brand ?? 'Lectern'}</bdi>
        </span>
        {corner}
      </header>
      <main className={styles.main}>
        <p role="status" className="visually-hidden">
          {status}
        </p>
        {children}
      </main>
    </div>
  )
}
