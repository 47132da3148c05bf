import { useEffect, useState } from 'react'
import { useTexts } from '../../../texts/use-texts.ts'
import { Button } from '../../../ui/Button.tsx'
import { useRefusalText } from '../../../uploads/use-refusal-text.ts'
import { NotShown } from '../files/inserts.ts'
import type { Board } from '../model/board.ts'
import styles from './RefusalNote.module.css'

const SHOWN_MS = 8_000
const SHOWN_WITH_CHOICE_MS = 60_000

const REASONS = ['drawing_not_permitted', 'page_full', 'element_too_large', 'not_your_element'] as const
type Reason = (typeof REASONS)[number]

const FILE_REASONS = [
  'damaged',
  'encrypted',
  'empty',
  'too_many_pages',
  'too_many_pixels',
  'too_slow',
  'too_large',
  'no_office',
  'office_kind',
  'deck_full',
] as const

/** Says why something that was drawn has disappeared again, and why a file is not on the board. */
export function RefusalNote({ board }: { board: Board }) {
  const { t } = useTexts()
  const [note, setNote] = useState<{ text: string; again?: (() => void) | null } | null>(null)
  const describeUpload = useRefusalText()
  useEffect(() => {
    const reasonOf = (reason: string): Reason | 'other' => REASONS.find(each => each === reason) ?? 'other'
    const fileReasonOf = (reason: string) => FILE_REASONS.find(each => each === reason) ?? 'other'
    const stops = [
      board.edits.onRefused(({ reason }) => setNote({ text: t(`board.refused.${reasonOf(reason)}`) })),
      board.inserts.onFailed(({ error, again }) => {
        const isShown = error instanceof NotShown
        const text = isShown ? t(`board.files.failed.${fileReasonOf(error.reason)}`) : describeUpload(error)
        setNote({ text, again })
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [board, t, describeUpload])
  useEffect(() => {
    if (note === null) return
    const timer = setTimeout(() => setNote(null), note.again ? SHOWN_WITH_CHOICE_MS : SHOWN_MS)
    return () => clearTimeout(timer)
  }, [note])
  const repeat = () => {
    setNote(null)
    note?.again?.()
  }
  return (
    <div className={note ? styles.note : 'visually-hidden'}>
      <p role="alert" className={styles.text}>
        {note?.text}
      </p>
      {note?.again && (
        <Button secondary onClick={repeat}>
          {t('upload.again')}
        </Button>
      )}
    </div>
  )
}
