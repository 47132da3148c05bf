import type { TranscriptListResponse, TranscriptResponse, TranscriptSummary } from '@lectern/protocol'
import { homePath } from '../../address.ts'
import { Link } from '../../site/Link.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { useList } from '../data/use-list.ts'
import { useResource } from '../data/use-resource.ts'
import { ListSection } from '../list/ListSection.tsx'
import { Facts } from '../parts/Facts.tsx'
import { ResourceStatus } from '../parts/Resource.tsx'
import { useFormat } from '../parts/use-format.ts'
import { useLabels } from '../parts/use-labels.ts'
import styles from './TranscriptsSection.module.css'

const read = ({ transcripts, next }: TranscriptListResponse) => ({ rows: transcripts, next })

export function TranscriptsSection({ id }: { id: string | null }) {
  return id === null ? <TranscriptList /> : <TranscriptDetails id={id} />
}

function TranscriptList() {
  const { t } = useTexts()
  const format = useFormat()
  const labels = useLabels()
  const list = useList('/transcripts', read)
  return (
    <>
      <p className={styles.note}>{t('admin.transcripts.note')}</p>
      <ListSection
        title={t('admin.sections.transcripts')}
        list={list}
        keyOf={({ job_id }: TranscriptSummary) => job_id}
        empty={t('admin.transcripts.none')}
        columns={[
          {
            key: 'started',
            label: t('admin.column.started'),
            render: each => (
              <Link href={homePath('admin', 'transcripts', each.job_id)}>
                {format.time(each.started_at_ms)}
              </Link>
            ),
          },
          { key: 'tag', label: t('admin.column.tag'), render: each => each.conference_tag },
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
          { key: 'status', label: t('admin.column.state'), render: each => labels.recordStatus(each.status) },
        ]}
      />
    </>
  )
}

function TranscriptDetails({ id }: { id: string }) {
  const { t } = useTexts()
  const format = useFormat()
  const labels = useLabels()
  const { state, reload } = useResource<TranscriptResponse>(`/transcripts/${encodeURIComponent(id)}`)
  if (state.is !== 'known') return <ResourceStatus state={state} reload={reload} />
  const { body } = state
  return (
    <>
      <Facts
        title={body.conference_tag}
        facts={[
          { name: t('admin.column.started'), value: format.time(body.started_at_ms) },
          { name: t('admin.column.language'), value: labels.language(body.language) },
          { name: t('admin.column.state'), value: labels.recordStatus(body.status) },
        ]}
      />
      <p className={styles.text} dir="auto">
        {body.text || t('admin.transcripts.empty')}
      </p>
    </>
  )
}
