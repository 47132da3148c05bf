import { type ReactNode, useEffect, useRef } from 'react'
import { documentTitle } from '../../site/document-title.ts'
import { useFocusRetention } from '../../ui/use-focus-retention.ts'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import styles from './PageFrame.module.css'
import { PageHeader } from './PageHeader.tsx'
import { PhoneMenu } from './PhoneMenu.tsx'
import { useScrollPlace } from './use-scroll-place.ts'

interface Props {
  /** Heading, title of the tab, and what screen readers announce. */
  title: string
  /** The path of the page above, for pages below another one. */
  back?: string
  /** Buttons at the end of the header. */
  actions?: ReactNode
  children: ReactNode
}

/** A page of signed-in users: its header, and its scrolling content. */
export function PageFrame({ title, back, actions, children }: Props) {
  const area = useScrollPlace<HTMLDivElement>(location.pathname)
  return (
    <PageMain title={title} titleId="page-title">
      <PageHeader title={title} titleId="page-title" back={back}>
        {actions}
        <PhoneMenu />
      </PageHeader>
      <ConnectionBanner />
      <div ref={area} className={styles.content}>
        {children}
      </div>
    </PageMain>
  )
}

/** The frame of a page with headers of its own. `titleId`: the heading of the page. */
export function PageMain({
  title,
  titleId,
  children,
}: Pick<Props, 'title' | 'children'> & { titleId: string }) {
  const main = useRef<HTMLElement>(null)
  useFocusRetention(main)
  useEffect(() => documentTitle.setPage(`${title} · Lectern`), [title])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element that led to another page may be gone.
  useEffect(() => {
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true })
  }, [title])
  return (
    <main ref={main} className={styles.main} tabIndex={-1} aria-labelledby={titleId}>
      <p role="status" className="visually-hidden">
        {title}
      </p>
      {children}
    </main>
  )
}
