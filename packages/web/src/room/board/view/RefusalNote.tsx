import { useEffect, useState } from 'react'
import { useTexts } from '../../../texts/use-texts.ts'
import type { Board } from '../model/board.ts'
import styles from './RefusalNote.module.css'

const SHOWN_MS = 8_000

const REASONS = ['drawing_not_permitted', 'page_full', 'element_too_large', 'not_your_element'] as const
type Reason = (typeof REASONS)[number]

/** Says why something that was drawn has disappeared again. */
export function RefusalNote({ board }: { board: Board }) {
  const { t } = useTexts()
  const [reason, setReason] = useState<Reason | 'other' | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = board.edits.onRefused(refusal => {
      clearTimeout(timer)
      setReason(REASONS.find(each => each === refusal.reason) ?? 'other')
      timer = setTimeout(() => setReason(null), SHOWN_MS)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [board])
  return (
    <p role="alert" className={reason ? styles.note : 'visually-hidden'}>
      {reason && t(`board.refused.${reason}`)}
    </p>
  )
}
