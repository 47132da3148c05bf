import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import type { Conferences } from './conferences.ts'
import { fromLocalTime, toIsoTime, toLocalTime } from './local-time.ts'
import type { OwnConference } from './own-conference.ts'
import styles from './PlanForm.module.css'

interface Props {
  conference: OwnConference
  plan: Conferences['plan']
  onClose: () => void
}

/** When a meeting is; without a start it is not planned. Escape cancels, as the button does. */
export function PlanForm({ conference: { tag, startsAt, endsAt }, plan, onClose }: Props) {
  const { t } = useTexts()
  const field = useRef<HTMLInputElement>(null)
  const [start, setStart] = useState(() => toLocalTime(startsAt))
  const [end, setEnd] = useState(() => toLocalTime(endsAt))
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<'order' | 'failed' | null>(null)
  useEffect(() => field.current?.focus(), [])

  const submit = async () => {
    if (busy) return
    const [from, until] = [fromLocalTime(start, startsAt), fromLocalTime(end, endsAt)]
    const isInOrder = until === null || (from !== null && from < until)
    if (!isInOrder) return setProblem('order')
    setBusy(true)
    const worked = await plan(tag, toIsoTime(from), toIsoTime(until))
    setBusy(false)
    setProblem(worked ? null : 'failed')
    if (worked) onClose()
  }
  const cancelByKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
  }
  const errors = { order: t('meetings.wrongOrder'), failed: t('meetings.notDone') }
  return (
    <Form className={styles.form} onSubmit={submit} onKeyDown={cancelByKey}>
      <Field
        ref={field}
        type="datetime-local"
        label={t('meetings.starts')}
        value={start}
        onChange={setStart}
        max="9999-12-31T23:59"
      />
      <Field
        type="datetime-local"
        label={t('meetings.ends')}
        value={end}
        onChange={setEnd}
        max="9999-12-31T23:59"
        error={problem && errors[problem]}
      />
      <div className={styles.buttons}>
        <Button secondary onClick={onClose}>
          {t('room.cancel')}
        </Button>
        <Button busy={busy}>{t('people.save')}</Button>
      </div>
    </Form>
  )
}
