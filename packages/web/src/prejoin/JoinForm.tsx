import { type FormEvent, useId, useRef, useState } from 'react'
import type { Devices } from '../devices/devices.ts'
import type { InputState } from '../devices/input.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/Button.tsx'
import { useValue } from '../use-value.ts'
import styles from './JoinForm.module.css'
import { readName } from './name.ts'

interface Props {
  /** The name to offer; empty when none is known. */
  name: string
  devices: Devices
  onJoin: (name: string) => void
}

export function JoinForm({ name, devices, onJoin }: Props) {
  const { t } = useTexts()
  const id = useId()
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
      <label className={styles.label} htmlFor={id}>
        {t('prejoin.name')}
      </label>
      <input
        ref={field}
        id={id}
        className={styles.field}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        autoComplete="name"
        enterKeyHint="go"
        dir="auto"
        required
        aria-invalid={missing}
        aria-describedby={missing ? `${id}-missing` : undefined}
      />
      {missing && (
        <p id={`${id}-missing`} className={styles.missing} role="alert">
          {t('prejoin.nameMissing')}
        </p>
      )}
      <Button>{t('prejoin.join')}</Button>
      {without && <p className={styles.without}>{t(`prejoin.without.${without}`)}</p>}
    </form>
  )
}

/** Null while nothing is amiss, or nothing is decided yet. */
function withoutWhat(camera: InputState, microphone: InputState): 'both' | 'camera' | 'microphone' | null {
  const isOff = ({ is }: InputState) => is === 'off' || is === 'failed'
  if (isOff(camera)) return isOff(microphone) ? 'both' : 'camera'
  return isOff(microphone) ? 'microphone' : null
}
