import { useEffect, useState } from 'react'
import { useTexts } from '../../../texts/use-texts.ts'
import { useRefusalText } from '../../../uploads/use-refusal-text.ts'
import { NotShown } from '../files/inserts.ts'
import type { Board } from '../model/board.ts'
import styles from './RefusalNote.module.css'

const SHOWN_MS = 8_000

const REASONS = ['drawing_not_permitted', 'page_full', 'element_too_large', 'not_your_element'] as const
type Reason = (typeof REASONS)[number]

const FILE_REASONS = [
  'damaged',
  'encrypted',
  'empty',
  'too_many_pages',
  'too_many_pixels',
  'deck_full',
] as const

/** Says why something that was drawn has disappeared again, and why a file is not on the board. */
export function RefusalNote({ board }: { board: Board }) {
  const { t } = useTexts()
  const [text, setText] = useState<string | null>(null)
  const describeUpload = useRefusalText()
  useEffect(() => {
    const reasonOf = (reason: string): Reason | 'other' => REASONS.find(each => each === reason) ?? 'other'
    const fileReasonOf = (reason: string) => FILE_REASONS.find(each => each === reason) ?? 'other'
    const stops = [
      board.edits.onRefused(({ reason }) => setText(t(`board.refused.${reasonOf(reason)}`))),
      board.inserts.onFailed(error =>
        setText(
          error instanceof NotShown
            ? t(`board.files.failed.${fileReasonOf(error.reason)}`)
            : describeUpload(error),
        ),
      ),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [board, t, describeUpload])
  useEffect(() => {
    if (text === null) return
    const timer = setTimeout(() => setText(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <p role="alert" className={text ? styles.note : 'visually-hidden'}>
      {text}
    </p>
  )
}
