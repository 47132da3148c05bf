import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { IconLink } from '../../ui/IconLink.tsx'
import styles from './PageHeader.module.css'

interface Props {
  title: string
  /** The element that the title labels. */
  titleId: string
  /** A part of a page has a heading of the second level. */
  isPart?: boolean
  /** Below the title. */
  note?: ReactNode
  /** The path of the page above. */
  back?: string | undefined
  /** Buttons at the end. */
  children?: ReactNode
}

/** The heading of a page or of a part of it, with the way back and buttons. */
export function PageHeader({ title, titleId, isPart = false, note, back, children }: Props) {
  const { t } = useTexts()
  const Heading = isPart ? 'h2' : 'h1'
  return (
    <header className={styles.header}>
      {back !== undefined && <IconLink icon={ArrowLeft} label={t('home.back')} href={back} />}
      <div className={styles.titles}>
        <Heading id={titleId} className={styles.title} dir="auto" title={title}>
          {title}
        </Heading>
        {note}
      </div>
      {children}
    </header>
  )
}
