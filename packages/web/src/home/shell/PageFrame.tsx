import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { homePath } from '../../address.ts'
import { documentTitle } from '../../site/document-title.ts'
import { MainMenu } from '../../site/MainMenu.tsx'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { MenuItem } from '../../ui/MenuItem.tsx'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import { IconLink } from './IconLink.tsx'
import { useNavigation } from './navigation-context.ts'
import styles from './PageFrame.module.css'
import { usePhone } from './use-phone.ts'

interface Props {
  /** Heading, title of the tab, and what screen readers announce. */
  title: string
  /** The path of the page above, for pages below another one. */
  back?: string
  /** Buttons at the end of the header. */
  actions?: ReactNode
  /** The content scrolls itself, and has its own distances. */
  isFilled?: boolean
  children: ReactNode
}

/** A page of signed-in users: its header, and its scrolling content. */
export function PageFrame({ title, back, actions, isFilled = false, children }: Props) {
  const { t } = useTexts()
  const main = useRef<HTMLElement>(null)
  useEffect(() => documentTitle.setPage(`${title} · Lectern`), [title])
  // The element that led here may be gone.
  useEffect(() => {
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true })
  }, [])
  return (
    <main ref={main} className={styles.main} tabIndex={-1} aria-labelledby="page-title">
      <p role="status" className="visually-hidden">
        {title}
      </p>
      <header className={styles.header}>
        {back !== undefined && <IconLink icon={ArrowLeft} label={t('home.back')} href={back} />}
        <h1 id="page-title" className={styles.title} dir="auto">
          {title}
        </h1>
        {actions}
        <PhoneMenu />
      </header>
      <ConnectionBanner />
      <div className={isFilled ? styles.filled : styles.content}>{children}</div>
    </main>
  )
}

/** The main menu, with the pages for which the bar has no place. */
function PhoneMenu() {
  const { t } = useTexts()
  const { go } = useSite()
  const { pages } = useNavigation()
  if (!usePhone()) return null
  return (
    <MainMenu isAtStart>
      {close =>
        pages
          .filter(({ isInBar }) => !isInBar)
          .map(({ name, icon }) => (
            <MenuItem
              key={name}
              icon={icon}
              onClick={() => {
                close()
                go(homePath(name))
              }}
            >
              {t(`home.pages.${name}`)}
            </MenuItem>
          ))
      }
    </MainMenu>
  )
}
