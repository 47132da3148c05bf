import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { readName } from '../../prejoin/name.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import styles from './RenameForm.module.css'

interface Props {
  name: string
  onRename: (name: string) => void
  onClose: () => void
}

export function RenameForm({ name, onRename, onClose }: Props) {
  const { t } = useTexts()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(name)
  useEffect(() => {
    const opener = document.activeElement
    field.current?.focus()
    field.current?.select()
    return () => {
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])

  const submit = () => {
    const chosen = readName(typed)
    if (chosen === null) return
    if (chosen !== name) onRename(chosen)
    onClose()
  }
  const closeByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    onClose()
  }

  return (
    <Form className={styles.form} onSubmit={submit} onKeyDown={closeByKey}>
      <Field
        ref={field}
        label={t('people.name')}
        value={typed}
        onChange={setTyped}
        autoComplete="name"
        enterKeyHint="done"
        dir="auto"
        required
        aria-invalid={readName(typed) === null}
      />
      <div className={styles.actions}>
        <Button secondary onClick={onClose}>
          {t('room.cancel')}
        </Button>
        <Button>{t('people.save')}</Button>
      </div>
    </Form>
  )
}
