import type { Endpoint, PartnerEventType } from '@lectern/protocol'
import { useState } from 'react'
import { failureOf } from '../../admin/data/console-api.ts'
import { FailureText } from '../../admin/parts/FailureText.tsx'
import { ShownOnce } from '../../admin/parts/ShownOnce.tsx'
import { useAdmin } from '../../admin/use-admin.ts'
import styles from '../../admin/users/forms.module.css'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { EVENT_TYPES } from '../events/event-types.ts'

interface Props {
  /** Null: a new one, whose secret is shown once. */
  endpoint: Endpoint | null
  onSaved: () => void
  onClose: () => void
}

/** The form for the address of an endpoint, and the events that it gets. */
export function EndpointDialog({ endpoint, onSaved, onClose }: Props) {
  const { t } = useTexts()
  const { api, notify } = useAdmin()
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [events, setEvents] = useState<readonly string[]>(endpoint?.events ?? EVENT_TYPES)
  const [tried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ code: string | null } | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const isUrl = isAddress(url)

  const submit = async () => {
    if (isBusy) return
    setTried(true)
    setFailure(null)
    if (!isUrl || events.length === 0) return
    setBusy(true)
    const body = { url: url.trim(), description: description.trim() || null, events }
    const answer = await (endpoint
      ? api.patch<{ secret?: string }>(`/endpoints/${encodeURIComponent(endpoint.id)}`, body)
      : api.post<{ secret?: string }>('/endpoints', body))
    setBusy(false)
    setFailure(failureOf(answer))
    if (answer.is !== 'ok') return
    onSaved()
    if (answer.body.secret !== undefined) return setSecret(answer.body.secret)
    notify({ text: t('admin.saved'), isFailure: false })
    onClose()
  }

  return (
    <Dialog
      title={endpoint ? t('integrations.endpoint.change') : t('integrations.endpoint.create')}
      onClose={onClose}
    >
      {secret !== null ? (
        <div className={styles.form}>
          <ShownOnce label={t('integrations.endpoint.secret')} note={t('admin.shownOnce')} value={secret} />
          <Button onClick={onClose}>{t('admin.close')}</Button>
        </div>
      ) : (
        <Form className={styles.form} onSubmit={submit}>
          <Field
            label={t('partnerConsole.url')}
            value={url}
            onChange={setUrl}
            inputMode="url"
            dir="ltr"
            maxLength={2048}
            autoComplete="off"
            error={tried && !isUrl ? t('integrations.endpoint.invalidUrl') : null}
          />
          <Field
            label={t('integrations.endpoint.description')}
            value={description}
            onChange={setDescription}
            maxLength={500}
            autoComplete="off"
          />
          <EventChoices chosen={events} onChange={setEvents} />
          <div role="alert" className={styles.failure}>
            {tried && events.length === 0 && t('integrations.endpoint.noEvent')}
            {failure && <FailureText code={failure.code} />}
          </div>
          <Button busy={isBusy}>{endpoint ? t('admin.save') : t('admin.users.createVerb')}</Button>
        </Form>
      )}
    </Dialog>
  )
}

function EventChoices({
  chosen,
  onChange,
}: {
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}) {
  const { t } = useTexts()
  const toggle = (type: PartnerEventType, isChosen: boolean) =>
    onChange(EVENT_TYPES.filter(each => (each === type ? isChosen : chosen.includes(each))))
  return (
    <fieldset className={styles.choices}>
      <legend>{t('partnerConsole.events')}</legend>
      {EVENT_TYPES.map(type => (
        <label key={type}>
          <input
            type="checkbox"
            checked={chosen.includes(type)}
            onChange={({ target }) => toggle(type, target.checked)}
          />
          <code>{type}</code>
        </label>
      ))}
    </fieldset>
  )
}

/** The server decides which targets are permitted. */
function isAddress(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text.trim()).protocol)
  } catch {
    return false
  }
}
