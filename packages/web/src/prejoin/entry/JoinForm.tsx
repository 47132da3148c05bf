import { useLayoutEffect, useRef, useState } from 'react'
import type { Devices } from '../../devices/devices.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { NamedText } from '../../ui/NamedText.tsx'
import { useValue } from '../../use-value.ts'
import { readName } from '../name.ts'
import styles from './JoinForm.module.css'

interface Props {
  /** The suggested name; empty when none is known. */
  name: string
  devices: Devices
  onJoin: (name: string) => void
  /** The user may be about to join. */
  onApproach: () => void
}

/** Asks for the name where none is known, and elsewhere lets people change it. */
export function JoinForm({ name, devices, onJoin, onApproach }: Props) {
  const { t } = useTexts()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(name)
  const [isChanging, setChanging] = useState(false)
  const [missing, setMissing] = useState(false)
  const camera = useValue(devices.camera)
  const microphone = useValue(devices.microphone)
  const isBlocked = camera.is === 'failed' && microphone.is === 'failed'

  useLayoutEffect(() => {
    if (!isChanging) return
    field.current?.focus()
    field.current?.select()
  }, [isChanging])

  const submit = () => {
    const chosen = readName(typed)
    setMissing(chosen === null)
    if (chosen !== null) onJoin(chosen)
  }

  return (
    <Form className={styles.form} onSubmit={submit}>
      {name && !isChanging ? (
        <p className={styles.who}>
          <NamedText text={shown => t('prejoin.joinAs', { name: shown })} name={name} />
          <LinkButton onClick={() => setChanging(true)}>{t('prejoin.change')}</LinkButton>
        </p>
      ) : (
        <Field
          ref={field}
          label={t('prejoin.name')}
          value={typed}
          onChange={setTyped}
          autoComplete="name"
          enterKeyHint="go"
          dir="auto"
          required
          error={missing ? t('prejoin.nameMissing') : null}
        />
      )}
      <Button onApproach={onApproach}>{isBlocked ? t('prejoin.joinBlocked') : t('prejoin.join')}</Button>
    </Form>
  )
}
