import { Check, Copy } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { useCopy } from '../../ui/use-copy.ts'
import styles from './ShownOnce.module.css'

/** A secret that the server does not show again. */
export function ShownOnce({ label, note, value }: { label: string; note: string; value: string }) {
  const { t } = useTexts()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const { isCopied, copy } = useCopy()
  const Icon = isCopied ? Check : Copy
  // The panel may replace a form that had the focus.
  useEffect(() => field.current?.focus(), [])
  return (
    <div className={styles.secret}>
      <label htmlFor={id}>{label}</label>
      <input ref={field} id={id} readOnly value={value} dir="ltr" onFocus={({ target }) => target.select()} />
      <p className={styles.note}>{note}</p>
      <Button secondary onClick={() => void copy(value)}>
        <Icon aria-hidden="true" className={styles.icon} /> {isCopied ? t('admin.copied') : t('admin.copy')}
      </Button>
    </div>
  )
}
