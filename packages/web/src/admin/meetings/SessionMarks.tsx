import type { AdminSession } from '@lectern/protocol'
import { useTexts } from '../../texts/use-texts.ts'
import { Badge } from '../parts/Badge.tsx'

/** The states of a session that differ from the usual. */
export function SessionMarks({ session }: { session: AdminSession }) {
  const { t } = useTexts()
  const { recording, transcription, locked, waiting_count } = session
  if (!recording && !transcription && !locked && waiting_count === 0) return '—'
  return (
    <>
      {session.recording && <Badge tone="bad">{t('admin.live_sessions.recording')}</Badge>}{' '}
      {session.transcription && <Badge tone="warm">{t('admin.live_sessions.transcription')}</Badge>}{' '}
      {session.locked && <Badge tone="plain">{t('admin.live_sessions.locked')}</Badge>}{' '}
      {session.waiting_count > 0 && (
        <Badge tone="warm">{t('admin.live_sessions.waiting', { number: session.waiting_count })}</Badge>
      )}
    </>
  )
}
