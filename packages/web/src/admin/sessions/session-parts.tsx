import type { AdminSession } from '@lectern/protocol'
import { useTexts } from '../../texts/use-texts.ts'
import { ActionMenu } from '../parts/ActionMenu.tsx'
import { Badge } from '../parts/Badge.tsx'
import { visibleText } from '../parts/format.ts'
import { useAdmin } from '../use-admin.ts'

/** The states of a session that differ from the usual, and its server if there are several. */
export function SessionMarks({ session }: { session: AdminSession }) {
  const { t } = useTexts()
  const { recording, transcription, locked, waiting_count, server } = session
  if (!recording && !transcription && !locked && waiting_count === 0 && server === null) return '—'
  return (
    <>
      {recording && <Badge tone="bad">{t('admin.live_sessions.recording')}</Badge>}{' '}
      {transcription && <Badge tone="warm">{t('admin.live_sessions.transcription')}</Badge>}{' '}
      {locked && <Badge tone="plain">{t('admin.live_sessions.locked')}</Badge>}{' '}
      {waiting_count > 0 && (
        <Badge tone="warm">{t('admin.live_sessions.waiting', { number: waiting_count })}</Badge>
      )}{' '}
      {server !== null && <Badge tone="plain">{server}</Badge>}
    </>
  )
}

export function SessionMenu({ session, onDone }: { session: AdminSession; onDone: () => void }) {
  const { t } = useTexts()
  const { api } = useAdmin()
  const title = visibleText(session.title)
  return (
    <ActionMenu
      name={title}
      actions={[
        {
          label: t('admin.live_sessions.end'),
          question: t('admin.live_sessions.endQuestion', { title }),
          done: t('admin.live_sessions.ended', { title }),
          danger: true,
          run: () => api.post(`/sessions/${session.conference_session_id}/end`),
          onDone,
        },
      ]}
    />
  )
}
