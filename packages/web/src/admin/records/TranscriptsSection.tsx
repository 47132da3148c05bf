import type { AdminTranscript, AdminTranscriptListResponse, AdminTranscriptResponse } from '@lectern/protocol'
import { homePath } from '../../address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useList } from '../data/use-list.ts'
import { useResource } from '../data/use-resource.ts'
import type { Column } from '../list/DataTable.tsx'
import { ListSection } from '../list/ListSection.tsx'
import { RelatedList } from '../list/RelatedList.tsx'
import { Facts } from '../parts/Facts.tsx'
import { ResourceStatus } from '../parts/Resource.tsx'
import { StateBadge } from '../parts/StateBadge.tsx'
import { useFormat } from '../parts/use-format.ts'
import { useLabels } from '../parts/use-labels.ts'
import { useConferenceColumns, useConferenceFacts, useConferenceTitle } from './record-parts.tsx'
import styles from './TranscriptsSection.module.css'

const read = ({ transcripts, next }: AdminTranscriptListResponse) => ({ rows: transcripts, next })
const keyOf = ({ job_id }: AdminTranscript) => job_id
const hrefOf = ({ job_id }: AdminTranscript) => homePath('admin', 'transcripts', job_id)

export function TranscriptsSection({ id }: { id: string | null }) {
  return id === null ? <TranscriptList /> : <TranscriptDetails id={id} />
}

/** The columns of transcripts beside the names of their conference. */
function useColumns(): Column<AdminTranscript>[] {
  const { t } = useTexts()
  const format = useFormat()
  const labels = useLabels()
  return [
    { key: 'started', label: t('admin.column.started'), render: each => format.time(each.started_at_ms) },
    {
      key: 'status',
      label: t('admin.column.state'),
      render: ({ status }) => <StateBadge of="record" state={status} />,
    },
    {
      key: 'language',
      label: t('admin.column.language'),
      render: each => labels.language(each.language),
    },
    {
      key: 'duration',
      label: t('admin.column.duration'),
      render: each => format.duration(each.ended_at_ms - each.started_at_ms),
    },
  ]
}

function TranscriptList() {
  const { t } = useTexts()
  const list = useList('/transcripts', read)
  const conference = useConferenceColumns<AdminTranscript>()
  return (
    <>
      <p className={styles.note}>{t('admin.transcripts.note')}</p>
      <ListSection
        title={t('admin.sections.transcripts')}
        list={list}
        keyOf={keyOf}
        hrefOf={hrefOf}
        empty={t('admin.transcripts.none')}
        emptyHint={t('adminPages.how.transcripts')}
        searchLabel={t('admin.rooms.search')}
        columns={[...conference.names, ...useColumns(), ...conference.tag]}
      />
    </>
  )
}

export function RelatedTranscripts({ tag }: { tag: string }) {
  const { t } = useTexts()
  const columns = useColumns()
  return (
    <RelatedList
      title={t('admin.sections.transcripts')}
      path="/transcripts"
      query={{ conference: tag }}
      {...{ read, columns, keyOf, hrefOf }}
    />
  )
}

function TranscriptDetails({ id }: { id: string }) {
  const { t } = useTexts()
  const titleOf = useConferenceTitle()
  const factsOf = useConferenceFacts()
  const columns = useColumns()
  const { state, reload } = useResource<AdminTranscriptResponse>(`/transcripts/${encodeURIComponent(id)}`)
  if (state.is !== 'known') return <ResourceStatus state={state} reload={reload} />
  const { body } = state
  return (
    <>
      <Facts
        title={titleOf(body)}
        facts={[
          ...columns.map(({ label, render }) => ({ name: label, value: render(body) })),
          ...factsOf(body),
        ]}
      />
      <p className={styles.text} dir="auto">
        {body.text || t('admin.transcripts.empty')}
      </p>
    </>
  )
}
