import { useState } from 'react'
import { useSite } from '../site/use-site.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import { readDestination } from './destination.ts'
import styles from './GoForm.module.css'

/** Opens a meeting by its link or code. */
export function GoForm() {
  const { t } = useTexts()
  const { go } = useSite()
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState<'elsewhere' | 'nothing' | null>(null)

  const submit = () => {
    const destination = readDestination(typed, location.origin)
    if (destination.is === 'here') return go(destination.path)
    setWrong(destination.is)
  }
  return (
    <Form className={styles.form} onSubmit={submit}>
      <Field
        label={t('start.link')}
        value={typed}
        onChange={setTyped}
        placeholder={t('start.example', { code: 'k7mq-x2wd9-rtnh' })}
        inputMode="url"
        enterKeyHint="go"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        error={wrong && t(`start.wrong.${wrong}`)}
      />
      <Button secondary>{t('start.go')}</Button>
    </Form>
  )
}
