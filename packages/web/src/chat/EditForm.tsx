import { type KeyboardEvent, useState } from 'react'
import { useTexts } from '../texts/use-texts.ts'
import { LinkButton } from '../ui/LinkButton.tsx'
import { useAction } from '../use-action.ts'
import styles from './EditForm.module.css'
import { MessageField } from './MessageField.tsx'

interface Props {
  text: string
  save: (text: string) => Promise<unknown>
  /** Why it could not be saved. */
  describe: (error: unknown) => string
  onClose: () => void
}

/** Edits a message inline. Escape cancels. */
export function EditForm({ text, save, describe, onClose }: Props) {
  const { t } = useTexts()
  const [typed, setTyped] = useState(text)
  const { failure, run } = useAction(describe)
  const cancelByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
    event.preventDefault()
    onClose()
  }
  const submit = async (changed: string) => {
    if (changed === text || (await run(() => save(changed)))) onClose()
  }
  return (
    <div className={styles.edit}>
      <MessageField
        value={typed}
        onChange={setTyped}
        onSend={changed => void submit(changed)}
        onKeyDown={cancelByKey}
        isEdit
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
