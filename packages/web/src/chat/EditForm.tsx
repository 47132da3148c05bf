import type { KeyboardEvent } from 'react'
import { useTexts } from '../texts/use-texts.ts'
import { LinkButton } from '../ui/LinkButton.tsx'
import { useAction } from '../use-action.ts'
import { isComposing } from './composing.ts'
import styles from './EditForm.module.css'
import { MessageField } from './MessageField.tsx'

interface Props {
  text: string
  /** With a file, the text may be empty. */
  hasFile: boolean
  /** The text typed before; null: the form is just opened, and takes the focus. */
  typed: string | null
  onType: (text: string) => void
  save: (text: string) => Promise<unknown>
  /** Why it could not be saved. */
  describe: (error: unknown) => string
  onClose: () => void
}

/** Edits a message inline. Escape cancels. */
export function EditForm({ text, hasFile, typed, onType, save, describe, onClose }: Props) {
  const { t } = useTexts()
  const { failure, run } = useAction(describe)
  const cancelByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return
    event.preventDefault()
    onClose()
  }
  const submit = async (changed: string) => {
    if (changed === text || (await run(() => save(changed)))) onClose()
  }
  return (
    <div className={styles.edit}>
      <MessageField
        value={typed ?? text}
        onChange={onType}
        onSend={changed => void submit(changed)}
        onKeyDown={cancelByKey}
        isEdit
        mayBeEmpty={hasFile}
        isResumed={typed !== null}
      />
      <p className={styles.line}>
        <span role="alert" className={styles.failure}>
          {failure}
        </span>
        <LinkButton onClick={onClose}>{t('room.cancel')}</LinkButton>
      </p>
    </div>
  )
}
