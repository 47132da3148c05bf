import type { AdminRoom } from '@lectern/protocol'
import { useTexts } from '../../texts/use-texts.ts'
import { useResource } from '../data/use-resource.ts'
import { Facts } from '../parts/Facts.tsx'
import { visibleText } from '../parts/format.ts'
import { ResourceStatus } from '../parts/Resource.tsx'
import { useFormat } from '../parts/use-format.ts'
import { RelatedJobs } from '../records/JobsSection.tsx'
import { RelatedRecordings } from '../records/RecordingsSection.tsx'
import { RelatedTranscripts } from '../records/TranscriptsSection.tsx'
import { RelatedSessions } from '../sessions/SessionsSection.tsx'
import { RelatedAudit } from '../system/AuditSection.tsx'
import { RoomMenu, RoomState } from './room-parts.tsx'

/** A partner room, its present session, and what was recorded there. */
export function RoomDetails({ tag }: { tag: string }) {
  const { t } = useTexts()
  const format = useFormat()
  const { state, reload } = useResource<AdminRoom>(`/rooms/${encodeURIComponent(tag)}`)
  if (state.is !== 'known') return <ResourceStatus state={state} reload={reload} />
  const room = state.body
  const timeOf = (value: string | null) => (value === null ? '—' : format.time(Date.parse(value)))
  return (
    <>
      <Facts
        title={visibleText(room.title)}
        menu={<RoomMenu room={room} onDone={() => void reload()} />}
        facts={[
          { name: t('admin.column.externalId'), value: visibleText(room.external_id) },
          { name: t('admin.column.state'), value: <RoomState room={room} /> },
          { name: t('adminPages.starts'), value: timeOf(room.starts_at) },
          { name: t('adminPages.ends'), value: timeOf(room.ends_at) },
          { name: t('admin.column.owner'), value: room.owner },
          { name: t('admin.column.tag'), value: room.tag },
        ]}
      />
      {room.live && <RelatedSessions tag={tag} />}
      <RelatedRecordings tag={tag} />
      <RelatedTranscripts tag={tag} />
      <RelatedJobs tag={tag} />
      <RelatedAudit query={{ search: tag }} />
    </>
  )
}
