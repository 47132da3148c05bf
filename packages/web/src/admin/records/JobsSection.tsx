import type { AdminJobListResponse, AdminNamedJob } from '@lectern/protocol'
import { homePath } from '../../address.ts'
import { Link } from '../../site/Link.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { useList } from '../data/use-list.ts'
import { useResource } from '../data/use-resource.ts'
import type { Column } from '../list/DataTable.tsx'
import { ListSection } from '../list/ListSection.tsx'
import { RelatedList } from '../list/RelatedList.tsx'
import { ActionMenu } from '../parts/ActionMenu.tsx'
import { Badge } from '../parts/Badge.tsx'
import { Facts } from '../parts/Facts.tsx'
import { ResourceStatus } from '../parts/Resource.tsx'
import { StateBadge } from '../parts/StateBadge.tsx'
import { useFormat } from '../parts/use-format.ts'
import { useAdmin } from '../use-admin.ts'
import { useConferenceColumns, useConferenceFacts, useConferenceTitle } from './record-parts.tsx'

const STATES = ['queued', 'leased', 'done', 'failed', 'cancelled'] as const
/** The section with what jobs of a kind have made; null: it is nowhere on these pages. */
const RESULTS = {
  recording: 'recordings',
  transcription: 'transcripts',
  conversion: null,
} as const satisfies Record<AdminNamedJob['kind'], string | null>
const KINDS = Object.keys(RESULTS) as (keyof typeof RESULTS)[]
const REFRESH_MS = 5_000
const read = ({ jobs, next }: AdminJobListResponse) => ({ rows: jobs, next })
const keyOf = ({ job_id }: AdminNamedJob) => job_id
const hrefOf = ({ job_id }: AdminNamedJob) => homePath('admin', 'jobs', job_id)

export function JobsSection({ id }: { id: string | null }) {
  return id === null ? <JobList /> : <JobDetails id={id} />
}

/** The columns of jobs beside the names of their conference. */
function useColumns(): Column<AdminNamedJob>[] {
  const { t } = useTexts()
  const format = useFormat()
  return [
    { key: 'kind', label: t('admin.column.kind'), render: job => t(`admin.jobs.kind.${job.kind}`) },
    { key: 'state', label: t('admin.column.state'), render: job => <JobState job={job} /> },
    { key: 'worker', label: t('admin.column.worker'), render: job => job.worker_id ?? '—' },
    {
      key: 'attempts',
      label: t('admin.column.attempts'),
      render: job => format.number(job.attempts),
      isNumeric: true,
    },
    { key: 'created', label: t('admin.column.created'), render: job => format.time(job.created_at_ms) },
  ]
}

function JobState({ job: { state, stop_requested, failure } }: { job: AdminNamedJob }) {
  const { t } = useTexts()
  return (
    <>
      <StateBadge of="job" state={state} />{' '}
      {stop_requested && state === 'leased' && <Badge tone="warm">{t('admin.jobs.stopping')}</Badge>}{' '}
      {failure}
    </>
  )
}

function JobList() {
  const { t } = useTexts()
  const list = useList('/jobs', read)
  const conference = useConferenceColumns<AdminNamedJob>()
  return (
    <ListSection
      title={t('admin.sections.jobs')}
      list={list}
      keyOf={keyOf}
      hrefOf={hrefOf}
      empty={t('admin.jobs.none')}
      emptyHint={t('adminPages.how.jobs')}
      searchLabel={t('admin.rooms.search')}
      filters={[
        {
          name: 'kind',
          label: t('admin.column.kind'),
          options: KINDS.map(value => ({ value, label: t(`admin.jobs.kind.${value}`) })),
        },
        {
          name: 'state',
          label: t('admin.column.state'),
          options: STATES.map(value => ({ value, label: t(`admin.jobs.state.${value}`) })),
        },
      ]}
      columns={[
        ...conference.names,
        ...useColumns().filter(({ key }) => key !== 'attempts'),
        ...conference.tag,
      ]}
      actions={job => <JobMenu job={job} onDone={() => void list.refresh()} />}
    />
  )
}

export function RelatedJobs({ tag }: { tag: string }) {
  const { t } = useTexts()
  const columns = useColumns()
  return (
    <RelatedList
      title={t('admin.sections.jobs')}
      path="/jobs"
      query={{ conference: tag }}
      {...{ read, columns, keyOf, hrefOf }}
    />
  )
}

function JobDetails({ id }: { id: string }) {
  const { t } = useTexts()
  const format = useFormat()
  const titleOf = useConferenceTitle()
  const factsOf = useConferenceFacts()
  const columns = useColumns()
  const { state, reload } = useResource<AdminNamedJob>(`/jobs/${encodeURIComponent(id)}`, REFRESH_MS)
  if (state.is !== 'known') return <ResourceStatus state={state} reload={reload} />
  const job = state.body
  const result = RESULTS[job.kind]
  return (
    <Facts
      title={titleOf(job)}
      menu={<JobMenu job={job} onDone={() => void reload()} />}
      facts={[
        ...columns.map(({ label, render }) => ({ name: label, value: render(job) })),
        { name: t('adminPages.changed'), value: format.time(job.updated_at_ms) },
        ...factsOf(job),
      ]}
    >
      {job.state === 'done' && result && (
        <Link href={homePath('admin', result, job.job_id)}>{t(`adminPages.result.${result}`)}</Link>
      )}
    </Facts>
  )
}

function JobMenu({ job, onDone }: { job: AdminNamedJob; onDone: () => void }) {
  const { t } = useTexts()
  const { api } = useAdmin()
  const titleOf = useConferenceTitle()
  const isUnfinished = job.state === 'queued' || (job.state === 'leased' && !job.stop_requested)
  if (!isUnfinished) return null
  return (
    <ActionMenu
      name={titleOf(job)}
      actions={[
        {
          label: t('admin.jobs.cancel'),
          question: t('admin.jobs.cancelQuestion'),
          done: t('admin.jobs.cancelled'),
          danger: true,
          run: () => api.post(`/jobs/${encodeURIComponent(job.job_id)}/cancel`),
          onDone,
        },
      ]}
    />
  )
}
