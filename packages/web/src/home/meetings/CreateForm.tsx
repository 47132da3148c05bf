import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { Switch } from '../../ui/Switch.tsx'
import styles from './CreateForm.module.css'
import type { Conferences } from './conferences.ts'

/** The server's limit. */
export const TITLE_MAX = 500

export function CreateForm({ create }: Pick<Conferences, 'create'>) {
  const { t } = useTexts()
  const [title, setTitle] = useState('')
  const [hasLobby, setHasLobby] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState(false)
  const [made, setMade] = useState('')

  const submit = async () => {
    if (busy) return
    setBusy(true)
    setFailed(false)
    setMade('')
    const conference = await create(title.trim(), hasLobby ? 'lobby' : 'open')
    setBusy(false)
    setFailed(conference === null)
    if (!conference) return
    setTitle('')
    setHasLobby(false)
    setMade(t('meetings.made', { title: conference.title }))
  }
  return (
    <Form className={styles.form} onSubmit={submit}>
      <Field
        label={t('meetings.newTitle')}
        value={title}
        onChange={setTitle}
        maxLength={TITLE_MAX}
        autoComplete="off"
        enterKeyHint="done"
        dir="auto"
        error={failed ? t('meetings.notDone') : null}
      />
      <Switch label={t('meetings.lobby')} on={hasLobby} onChange={setHasLobby} />
      <Button secondary busy={busy}>
        {t('meetings.create')}
      </Button>
      <p role="status" className="visually-hidden">
        {made}
      </p>
    </Form>
  )
}
