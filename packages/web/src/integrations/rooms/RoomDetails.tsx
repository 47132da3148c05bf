import type { HostedRoom, InvitedPerson, LiveParticipant, StoredRecording } from '@lectern/protocol'
import { useResource } from '../../admin/data/use-resource.ts'
import { DataTable } from '../../admin/list/DataTable.tsx'
import { RelatedList } from '../../admin/list/RelatedList.tsx'
import { Facts } from '../../admin/parts/Facts.tsx'
import { visibleText } from '../../admin/parts/format.ts'
import { ResourceStatus } from '../../admin/parts/Resource.tsx'
import { StateBadge } from '../../admin/parts/StateBadge.tsx'
import { useFormat } from '../../admin/parts/use-format.ts'
import { RoomState } from '../../admin/rooms/room-parts.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { EventList } from '../events/EventsSection.tsx'
import { pageOf } from '../pages.ts'
import styles from '../parts.module.css'

const REFRESH_MS = 5_000
const readPeople = pageOf<'people', InvitedPerson>('people')
const readRecordings = pageOf<'recordings', StoredRecording>('recordings')
const EVERYTHING = {}

/** A room: who belongs to it, who is inside, what was recorded and what happened. */
export function RoomDetails({ externalId }: { externalId: string }) {
  const { t } = useTexts()
  const format = useFormat()
  const path = `/rooms/${encodeURIComponent(externalId)}`
  const { state, reload } = useResource<HostedRoom>(path, REFRESH_MS)
  const personColumns = usePersonColumns()
  if (state.is !== 'known') return <ResourceStatus state={state} reload={reload} />
  const room = state.body
  const timeOf = (value: string | null) => (value === null ? '—' : format.time(Date.parse(value)))
  return (
    <>
      <Facts
        title={visibleText(room.title)}
        facts={[
          { name: t('admin.column.externalId'), value: visibleText(room.external_id) },
          { name: t('admin.column.state'), value: <RoomState room={room} /> },
          { name: t('adminPages.starts'), value: timeOf(room.starts_at) },
          { name: t('adminPages.ends'), value: timeOf(room.ends_at) },
          { name: t('admin.column.tag'), value: room.tag },
        ]}
      />
      {room.live && <Participants path={`${path}/participants`} />}
      <RelatedList
        title={t('integrations.room.people')}
        path={`${path}/people`}
        query={EVERYTHING}
        read={readPeople}
        keyOf={person => person.external_id}
        columns={personColumns}
      />
      <RelatedList
        title={t('admin.sections.recordings')}
        path="/recordings"
        query={{ room: externalId }}
        read={readRecordings}
        keyOf={({ id }) => id}
        columns={[
          {
            key: 'started',
            label: t('admin.column.started'),
            render: ({ started_at }) => format.time(Date.parse(started_at)),
          },
          {
            key: 'duration',
            label: t('admin.column.duration'),
            render: ({ duration_ms }) => format.duration(duration_ms),
          },
          {
            key: 'state',
            label: t('admin.column.state'),
            render: ({ status }) => <StateBadge of="record" state={status} />,
          },
          {
            key: 'size',
            label: t('admin.column.size'),
            render: ({ files }) => format.bytes(files.reduce((sum, { size }) => sum + size, 0)),
            isNumeric: true,
          },
        ]}
      />
      <section className={styles.part}>
        <h2>{t('integrations.sections.events')}</h2>
        <EventList room={externalId} />
      </section>
    </>
  )
}

function usePersonColumns() {
  const { t } = useTexts()
  return [
    {
      key: 'name',
      label: t('admin.column.name'),
      render: ({ display_name }: Named) => <bdi>{display_name || '—'}</bdi>,
    },
    {
      key: 'external_id',
      label: t('admin.column.externalId'),
      render: ({ external_id }: Named) => (external_id === null ? '—' : visibleText(external_id)),
    },
    {
      key: 'role',
      label: t('admin.column.role'),
      render: ({ role }: Named) => t(`integrations.role.${role}`),
    },
  ]
}

type Named = Pick<InvitedPerson, 'display_name' | 'role'> & { external_id: string | null }

function Participants({ path }: { path: string }) {
  const { t } = useTexts()
  const format = useFormat()
  const { state } = useResource<{ participants: LiveParticipant[] }>(path, REFRESH_MS)
  const columns = usePersonColumns()
  if (state.is !== 'known' || state.body.participants.length === 0) return null
  return (
    <section className={styles.part}>
      <h2>{t('admin.column.participants')}</h2>
      <DataTable
        label={t('admin.column.participants')}
        rows={state.body.participants}
        keyOf={({ participant_id }) => participant_id}
        actionsLabel={t('admin.actions')}
        columns={[
          ...columns,
          {
            key: 'joined',
            label: t('admin.column.joined'),
            render: ({ joined_at }: LiveParticipant) => format.time(Date.parse(joined_at)),
          },
        ]}
      />
    </section>
  )
}
