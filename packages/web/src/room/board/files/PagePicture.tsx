import type { BoardPage } from '@lectern/protocol/control/client'
import { useEffect, useState } from 'react'
import { useTexts } from '../../../texts/use-texts.ts'
import { loadPageText } from '../../../uploads/files.ts'
import type { Board } from '../model/board.ts'
import styles from './PagePicture.module.css'
import { filePageOf } from './pictures.ts'

/** Says that the background cannot be shown, where the picture would be. */
export function PageFailure({ board, page }: { board: Board; page: BoardPage }) {
  const { t } = useTexts()
  const [isFailed, setFailed] = useState(false)
  useEffect(() => {
    const file = filePageOf(page)
    const update = () => setFailed(file !== null && board.pictures.isFailed(file))
    update()
    return board.pictures.onChange(update)
  }, [board, page])
  const { background } = page
  if (!isFailed) return null
  const text =
    background.kind === 'document'
      ? t('board.files.pageFailed', { page: background.page_number })
      : t('board.files.imageFailed')
  return <p className={styles.failed}>{text}</p>
}

/** The text on the page of a document, line by line; empty where it has none. */
export function usePageText(board: Board, page: BoardPage): readonly string[] {
  const [lines, setLines] = useState<readonly string[]>([])
  const file = filePageOf(page)
  const { fileId, pageNumber } = file ?? { fileId: null, pageNumber: 0 }
  const { files } = board.call
  useEffect(() => {
    let isOver = false
    setLines([])
    if (fileId === null) return
    void loadPageText(files, fileId, pageNumber).then(
      found => isOver || setLines((found ?? []).map(each => each.text)),
    )
    return () => {
      isOver = true
    }
  }, [files, fileId, pageNumber])
  return lines
}

/** The text on the page of a document, for screen readers. */
export function PageText({ board, page }: { board: Board; page: BoardPage }) {
  const lines = usePageText(board, page)
  return lines.length > 0 && <p className="visually-hidden">{lines.join('\n')}</p>
}
