import { FileDown, PenLine } from 'lucide-react'
import { useRef } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import styles from './BoardPages.module.css'
import type { BoardPagePicture } from './lesson.ts'
import type { RecordingDetails } from './recording-details.ts'
import { SavableSection } from './SavableSection.tsx'
import { useImageLink } from './use-image-link.ts'

interface Props {
  pages: readonly BoardPagePicture[]
  linkTo: RecordingDetails['linkTo']
  /** Null: there is nothing to seek in. */
  onSeek: ((ms: number) => void) | null
  /** Downloads the pages as a document; false: that failed. Null: the recording has no such file. */
  onSave: (() => Promise<boolean>) | null
}

/** The pages of the board; a click leads to the moment at which a page was shown. Nothing for recordings without a board. */
export function BoardPages({ pages, linkTo, onSeek, onSave }: Props) {
  const { t } = useTexts()
  if (pages.length === 0) return null
  return (
    <SavableSection
      title={t('lesson.board')}
      icon={FileDown}
      saveLabel={t('lesson.saveBoard')}
      onSave={onSave}
    >
      <ol className={styles.list}>
        {pages.map(page => (
          <li key={page.number}>
            <PageButton page={page} linkTo={linkTo} onSeek={onSeek} />
          </li>
        ))}
      </ol>
    </SavableSection>
  )
}

function PageButton({ page, linkTo, onSeek }: Pick<Props, 'linkTo' | 'onSeek'> & { page: BoardPagePicture }) {
  const { t } = useTexts()
  const place = useRef<HTMLButtonElement>(null)
  const { url, onError } = useImageLink(place, page.blobId, linkTo)
  const { fromMs } = page
  // A page that was shown for a moment only has no chapter.
  const seek = onSeek && fromMs !== null ? () => onSeek(fromMs) : undefined
  return (
    <button ref={place} type="button" className={styles.page} disabled={!seek} onClick={seek}>
      <span className={styles.picture}>
        {url === null ? <PenLine aria-hidden="true" /> : <img src={url} alt="" onError={onError} />}
      </span>
      {t('lesson.boardPage', { number: page.number })}
    </button>
  )
}
