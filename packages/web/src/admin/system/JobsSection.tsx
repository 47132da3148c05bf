import type { AdminJob, AdminJobListResponse } from '@lectern/protocol'
import { useTexts } from '../../texts/use-texts.ts'
import { useList } from '../data/use-list.ts'
import { ListSection } from '../list/ListSection.tsx'
import { ActionButton } from '../parts/ActionButton.tsx'
import { Badge, type Tone } from '../parts/Badge.tsx'
import { useFormat } from '../parts/use-format.ts'
import { useAdmin } from '../use-admin.ts'

const STATES = ['queued', 'leased', 'done', 'failed', 'cancelled'] as const
const KINDS = ['recording', 'transcription'] as const
const TONES: Record<AdminJob['state'], Tone> = {
  queued: 'warm',
  leased: 'good',
  done: 'plain',
  failed: 'bad',
  cancelled: 'plain',
}
const read = ({ jobs, next }: AdminJobListResponse) => ({ rows: jobs, next })

export function JobsSection() {
  const { t } = useTexts()
  const { api } = useAdmin()
  const format = useFormat()
  const list = useList('/jobs', read)
  const all = { value: '', label: t('admin.all') }
  return (
    <ListSection
      title={t('admin.sections.jobs')}
      list={list}
      keyOf={({ job_id }: AdminJob) => job_id}
      empty={t('admin.jobs.none')}
      filters={[
        {
          name: 'kind',
          label: t('admin.column.kind'),
          options: [all, ...KINDS.map(value => ({ value, label: t(`admin.jobs.kind.${value}`) }))],
        },
        {
          name: 'state',
          label: t('admin.column.state'),
          options: [all, ...STATES.map(value => ({ value, label: t(`admin.jobs.state.${value}`) }))],
        },
      ]}
      columns={[
        { key: 'kind', label: t('admin.column.kind'), render: job => t(`admin.jobs.kind.${job.kind}`) },
        { key: 'tag', label: t('admin.column.tag'), render: job => job.conference_tag },
        {
          key: 'state',
          label: t('admin.column.state'),
          render: job => (
            <>
              <Badge tone={TONES[job.state]}>{t(`admin.jobs.state.${job.state}`)}</Badge>{' '}
              {job.stop_requested && job.state === 'leased' && t('admin.jobs.stopping')}
              {job.failure}
            </>
          ),
        },
        { key: 'worker', label: t('admin.column.worker'), render: job => job.worker_id ?? '—' },
        {
          key: 'attempts',
          label: t('admin.column.attempts'),
          render: job => format.number(job.attempts),
          isNumeric: true,
        },
        { key: 'created', label: t('admin.column.created'), render: job => format.time(job.created_at_ms) },
      ]}
      actions={job =>
        (job.state === 'queued' || (job.state === 'leased' && !job.stop_requested)) && (
          <ActionButton
            label={t('admin.jobs.cancel')}
            name={t('admin.jobs.cancelNamed', { tag: job.conference_tag })}
            question={t('admin.jobs.cancelQuestion')}
            done={t('admin.jobs.cancelled')}
            danger
            run={() => api.post(`/jobs/${encodeURIComponent(job.job_id)}/cancel`)}
            onDone={() => void list.refresh()}
          />
        )
      }
    />
  )
}
