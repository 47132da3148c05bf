import type { AdminRecording, AdminRecordingListResponse } from '@lectern/protocol'
import { homePath } from '../../address.ts'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useList } from '../data/use-list.ts'
import { useResource } from '../data/use-resource.ts'
import type { Column } from '../list/DataTable.tsx'
import { ListSection } from '../list/ListSection.tsx'
import { RelatedList } from '../list/RelatedList.tsx'
import { ActionMenu } from '../parts/ActionMenu.tsx'
import { Facts } from '../parts/Facts.tsx'
import { ResourceStatus } from '../parts/Resource.tsx'
import { StateBadge } from '../parts/StateBadge.tsx'
import { useFormat } from '../parts/use-format.ts'
import { useAdmin } from '../use-admin.ts'
import { useConferenceColumns, useConferenceFacts, useConferenceTitle } from './record-parts.tsx'
import { RelatedTranscripts } from './TranscriptsSection.tsx'

const read = ({ recordings, next }: AdminRecordingListResponse) => ({ rows: recordings, next })
const keyOf = ({ job_id }: AdminRecording) => job_id
const hrefOf = ({ job_id }: AdminRecording) => homePath('admin', 'recordings', job_id)

export function RecordingsSection({ id }: { id: string | null }) {
  return id === null ? <RecordingList /> : <RecordingDetails id={id} />
}

/** The columns of recordings beside the names of their conference. */
function useColumns(): Column<AdminRecording>[] {
  const { t } = useTexts()
  const format = useFormat()
  return [
    { key: 'started', label: t('admin.column.started'), render: each => format.time(each.started_at_ms) },
    {
      key: 'status',
      label: t('admin.column.state'),
      render: ({ status }) => <StateBadge of="record" state={status} />,
    },
    { key: 'duration', label: t('admin.column.duration'), render: each => format.duration(each.duration_ms) },
    {
      key: 'size',
      label: t('admin.column.size'),
      render: each => format.bytes(each.bytes),
      isNumeric: true,
    },
    { key: 'owner', label: t('admin.column.owner'), render: each => each.owner ?? '—' },
  ]
}

function RecordingList() {
  const { t } = useTexts()
  const list = useList('/recordings', read)
  const conference = useConferenceColumns<AdminRecording>()
  return (
    <ListSection
      title={t('admin.sections.recordings')}
      list={list}
      keyOf={keyOf}
      hrefOf={hrefOf}
      empty={t('admin.recordings.none')}
      emptyHint={t('adminPages.how.recordings')}
      searchLabel={t('admin.rooms.search')}
      columns={[...conference.names, ...useColumns(), ...conference.tag]}
      actions={recording => <RecordingMenu recording={recording} onDone={() => void list.refresh()} />}
    />
  )
}

export function RelatedRecordings({ tag }: { tag: string }) {
  const { t } = useTexts()
  const columns = useColumns()
  return (
    <RelatedList
      title={t('admin.sections.recordings')}
      path="/recordings"
      query={{ conference: tag }}
      {...{ read, columns, keyOf, hrefOf }}
    />
  )
}

function RecordingDetails({ id }: { id: string }) {
  const { t } = useTexts()
  const { go } = useSite()
  const format = useFormat()
  const titleOf = useConferenceTitle()
  const factsOf = useConferenceFacts()
  const columns = useColumns()
  const { state, reload } = useResource<AdminRecording>(`/recordings/${encodeURIComponent(id)}`)
  if (state.is !== 'known') return <ResourceStatus state={state} reload={reload} />
  const recording = state.body
  return (
    <>
      <Facts
        title={titleOf(recording)}
        menu={<RecordingMenu recording={recording} onDone={() => go(homePath('admin', 'recordings'))} />}
        facts={[
          ...columns.map(({ label, render }) => ({ name: label, value: render(recording) })),
          { name: t('adminPages.files'), value: format.number(recording.file_count) },
          ...factsOf(recording),
        ]}
      />
      <RelatedTranscripts tag={recording.conference_tag} />
    </>
  )
}

function RecordingMenu({ recording, onDone }: { recording: AdminRecording; onDone: () => void }) {
  const { t } = useTexts()
  const { api } = useAdmin()
  return (
    <ActionMenu
      name={useConferenceTitle()(recording)}
      actions={[
        {
          label: t('admin.delete'),
          question: t('admin.recordings.deleteQuestion'),
          done: t('admin.recordings.deleted'),
          danger: true,
          run: () => api.delete(`/recordings/${encodeURIComponent(recording.job_id)}`),
          onDone,
        },
      ]}
    />
  )
}
