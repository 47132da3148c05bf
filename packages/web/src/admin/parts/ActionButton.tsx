import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import type { Answer } from '../data/admin-api.ts'
import { failureFor } from '../data/failures.ts'
import { failureOf, useAdmin } from '../use-admin.ts'
import styles from './ActionButton.module.css'

interface Props {
  label: string
  /** The accessible name, which names the row, too. */
  name?: string
  /** Asked before the action runs. */
  question: string
  /** The answer that changes nothing, where "Cancel" would be ambiguous. */
  keep?: string
  /** The action destroys something. */
  danger?: boolean
  /** Shown when the action has succeeded. */
  done: string
  run: () => Promise<Answer<unknown>>
  onDone: () => void
}

/** A button that runs an action of the administration API after a confirmation. */
export function ActionButton(props: Props) {
  const { label, name = label, question, keep, danger = false, done, run, onDone } = props
  const { t } = useTexts()
  const { notify } = useAdmin()
  const [isRequesting, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)

  const confirm = async () => {
    setBusy(true)
    const failure = failureOf(await run())
    setBusy(false)
    if (failure) return notify({ text: t(`admin.failure.${failureFor(failure.code)}`), isFailure: true })
    notify({ text: done, isFailure: false })
    onDone()
  }

  return (
    <>
      <button
        type="button"
        className={danger ? styles.danger : styles.action}
        aria-label={name}
        aria-disabled={isBusy}
        onClick={() => !isBusy && setAsking(true)}
      >
        {label}
      </button>
      {isRequesting && (
        <ConfirmDialog
          question={question}
          verb={label}
          cancel={keep ?? t('admin.cancel')}
          danger={danger}
          onConfirm={() => void confirm()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
