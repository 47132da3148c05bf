import { FileDown, PenLine } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { PanelButton } from '../../ui/PanelButton.tsx'
import styles from './BoardPages.module.css'
import type { BoardPagePicture } from './lesson.ts'
import type { RecordingDetails } from './recording.ts'
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
  const [failed, setFailed] = useState(false)
  if (pages.length === 0) return null
  return (
    <section className={styles.section} aria-labelledby="recording-board">
      <div className={styles.head}>
        <h2 id="recording-board" className={styles.heading}>
          {t('lesson.board')}
        </h2>
        {onSave && (
          <PanelButton
            icon={FileDown}
            label={t('lesson.saveBoard')}
            onClick={() => void onSave().then(isSaved => setFailed(!isSaved))}
          />
        )}
      </div>
      {failed && (
        <p className={styles.failed} role="alert">
          {t('recordings.notDone')}
        </p>
      )}
      <ol className={styles.list}>
        {pages.map(page => (
          <li key={page.number}>
            <PageButton page={page} linkTo={linkTo} onSeek={onSeek} />
          </li>
        ))}
      </ol>
    </section>
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
