import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { ActionButton } from '../parts/ActionButton.tsx'
import { ShownOnce } from '../parts/ShownOnce.tsx'
import { useAdmin } from '../use-admin.ts'

interface Props {
  /** In questions. */
  name: string
  /** The path of a webhook, or of an endpoint, in the API. */
  path: string
  /** Of the new secret. */
  secretLabel: string
  secretNote: string
  isEnabled: boolean
  /** The previous secret is still valid. */
  isRotating: boolean
  onChanged: () => void
  /** A test event was queued. */
  onSent: () => void
}

/** Sends a test event, and replaces the secret, which is shown once. */
export function WebhookButtons(props: Props) {
  const { name, path, secretLabel, secretNote, isEnabled, isRotating, onChanged, onSent } = props
  const { t } = useTexts()
  const { api } = useAdmin()
  const [secret, setSecret] = useState<string | null>(null)
  const rotate = async () => {
    const answer = await api.post<{ secret: string }>(`${path}/rotate`, {})
    if (answer.is === 'ok') setSecret(answer.body.secret)
    return answer
  }
  return (
    <>
      {isEnabled && (
        <ActionButton
          label={t('partnerConsole.test')}
          question={t('partnerConsole.testQuestion', { name })}
          done={t('partnerConsole.tested')}
          run={() => api.post(`${path}/test`)}
          onDone={onSent}
        />
      )}
      {!isRotating && (
        <ActionButton
          label={t('partnerConsole.rotate')}
          question={t('partnerConsole.rotateQuestion', { name })}
          done={t('partnerConsole.rotated')}
          run={rotate}
          onDone={onChanged}
        />
      )}
      {secret !== null && (
        <Dialog title={t('partnerConsole.rotated')} onClose={() => setSecret(null)}>
          <ShownOnce label={secretLabel} note={secretNote} value={secret} />
        </Dialog>
      )}
    </>
  )
}
