import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { isComposing } from '../../chat/composing.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { TITLE_MAX } from './CreateForm.tsx'
import styles from './RenameForm.module.css'

interface Props {
  title: string
  rename: (title: string) => Promise<boolean>
  onClose: () => void
}

/** Escape cancels, as the button does. */
export function RenameForm({ title, rename, onClose }: Props) {
  const { t } = useTexts()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(title)
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState(false)
  useEffect(() => field.current?.select(), [])

  const submit = async () => {
    if (busy) return
    setBusy(true)
    const worked = await rename(typed.trim())
    setBusy(false)
    setFailed(!worked)
    if (worked) onClose()
  }
  const cancelByKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !isComposing(event.nativeEvent)) onClose()
  }
  return (
    <Form className={styles.form} onSubmit={submit} onKeyDown={cancelByKey}>
      <Field
        ref={field}
        label={t('meetings.titleOf')}
        value={typed}
        onChange={setTyped}
        maxLength={TITLE_MAX}
        autoComplete="off"
        dir="auto"
        error={failed ? t('meetings.notDone') : null}
      />
      <div className={styles.buttons}>
        <Button secondary onClick={onClose}>
          {t('room.cancel')}
        </Button>
        <Button busy={busy}>{t('people.save')}</Button>
      </div>
    </Form>
  )
}
