import { type FormEvent, useRef, useState } from 'react'
import type { Devices } from '../devices/devices.ts'
import type { InputState } from '../devices/input.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { useValue } from '../use-value.ts'
import styles from './JoinForm.module.css'
import { readName } from './name.ts'

interface Props {
  /** The suggested name; empty when none is known. */
  name: string
  devices: Devices
  onJoin: (name: string) => void
  /** The user may be about to join. */
  onApproach: () => void
}

export function JoinForm({ name, devices, onJoin, onApproach }: Props) {
  const { t } = useTexts()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(name)
  const [missing, setMissing] = useState(false)
  const without = withoutWhat(useValue(devices.camera), useValue(devices.microphone))

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const chosen = readName(typed)
    setMissing(chosen === null)
    if (chosen !== null) onJoin(chosen)
    else field.current?.focus()
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
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
      <Button onApproach={onApproach}>{t('prejoin.join')}</Button>
      {without && <p className={styles.without}>{t(`prejoin.without.${without}`)}</p>}
    </form>
  )
}

/** Null while both are on or still opening. */
function withoutWhat(camera: InputState, microphone: InputState): 'both' | 'camera' | 'microphone' | null {
  const isOff = ({ is }: InputState) => is === 'off' || is === 'failed'
  if (isOff(camera)) return isOff(microphone) ? 'both' : 'camera'
  return isOff(microphone) ? 'microphone' : null
}
