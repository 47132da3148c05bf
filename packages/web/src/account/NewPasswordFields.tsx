import { useId } from 'react'
import { useTexts } from '../texts/use-texts.ts'
import { Field } from '../ui/Field.tsx'
import styles from './NewPasswordFields.module.css'
import type { NewPasswordError } from './new-password.ts'

interface Props {
  password: string
  repeated: string
  onPassword: (value: string) => void
  onRepeated: (value: string) => void
  /** Shown in words, in both password fields and those that the caller shows beside them. */
  isShown: boolean
  onShown: (isShown: boolean) => void
  error: NewPasswordError | null
}

/** A new password and its repetition, in fields that password managers recognise. */
export function NewPasswordFields({
  password,
  repeated,
  onPassword,
  onRepeated,
  isShown,
  onShown,
  error,
}: Props) {
  const { t } = useTexts()
  const id = useId()
  const type = isShown ? 'text' : 'password'
  const options = {
    type,
    autoComplete: 'new-password',
    autoCapitalize: 'none',
    spellCheck: false,
    required: true,
  }
  return (
    <>
      <Field
        {...options}
        label={t('newPassword.label')}
        value={password}
        onChange={onPassword}
        name="new-password"
        error={error === 'short' || error === 'long' ? t(`newPassword.${error}`) : null}
        placeholder={t('newPassword.rule')}
      />
      <Field
        {...options}
        label={t('newPassword.repeat')}
        value={repeated}
        onChange={onRepeated}
        name="repeated-password"
        error={error === 'different' ? t('newPassword.different') : null}
      />
      <p className={styles.show}>
        <input id={id} type="checkbox" checked={isShown} onChange={({ target }) => onShown(target.checked)} />
        <label htmlFor={id}>{t('newPassword.show')}</label>
      </p>
    </>
  )
}
