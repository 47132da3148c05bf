import { useTexts } from '../../texts/use-texts.ts'
import { Field } from '../../ui/Field.tsx'

interface Props {
  value: string
  onChange: (value: string) => void
}

/** A password that an administrator gives an account. */
export function PasswordField({ value, onChange }: Props) {
  const { t } = useTexts()
  return (
    <Field
      label={t('admin.users.passwordRule')}
      type="password"
      value={value}
      onChange={onChange}
      required
      minLength={8}
      maxLength={1024}
      autoComplete="new-password"
    />
  )
}
