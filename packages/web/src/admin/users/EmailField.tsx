import { useTexts } from '../../texts/use-texts.ts'
import { Field } from '../../ui/Field.tsx'

interface Props {
  value: string
  onChange: (value: string) => void
}

/** The address for mails to the person; empty: none. */
export function EmailField({ value, onChange }: Props) {
  const { t } = useTexts()
  return (
    <Field
      label={t('admin.users.email')}
      type="email"
      value={value}
      onChange={onChange}
      maxLength={254}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      dir="ltr"
    />
  )
}
