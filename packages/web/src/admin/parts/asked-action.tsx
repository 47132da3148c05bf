import { type ReactNode, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import type { Answer } from '../data/console-api.ts'
import { failureOf } from '../data/console-api.ts'
import { failureFor } from '../data/failures.ts'
import { useAdmin } from '../use-admin.ts'

/** An action of the administration API that runs after a question. */
export interface AskedAction {
  label: string
  /** The question says what happens. */
  question: string
  /** The answer that changes nothing, where "Cancel" would be ambiguous. */
  keep?: string
  /** The action destroys something, or shuts somebody out. */
  danger?: boolean
  /** Shown when the action has succeeded. */
  done: string
  run: () => Promise<Answer<unknown>>
  onDone: () => void
}

/** The question of an action, which `ask` opens as a dialog, and its execution. */
export function useAskedAction(): { ask: (action: AskedAction) => void; isBusy: boolean; dialog: ReactNode } {
  const { t } = useTexts()
  const { notify } = useAdmin()
  const [asked, setAsked] = useState<AskedAction | null>(null)
  const [isBusy, setBusy] = useState(false)

  const confirm = async ({ run, done, onDone }: AskedAction) => {
    setBusy(true)
    const failure = failureOf(await run())
    setBusy(false)
    if (failure) return notify({ text: t(`admin.failure.${failureFor(failure.code)}`), isFailure: true })
    notify({ text: done, isFailure: false })
    onDone()
  }

  const dialog = asked && (
    <ConfirmDialog
      question={asked.question}
      verb={asked.label}
      cancel={asked.keep ?? t('admin.cancel')}
      danger={asked.danger ?? false}
      onConfirm={() => void confirm(asked)}
      onClose={() => setAsked(null)}
    />
  )
  return { ask: action => !isBusy && setAsked(action), isBusy, dialog }
}
