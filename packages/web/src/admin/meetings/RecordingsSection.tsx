import type { AdminRecording, AdminRecordingListResponse } from '@lectern/protocol'
import { useTexts } from '../../texts/use-texts.ts'
import { useList } from '../data/use-list.ts'
import { ListSection } from '../list/ListSection.tsx'
import { ActionButton } from '../parts/ActionButton.tsx'
import { useFormat } from '../parts/use-format.ts'
import { useLabels } from '../parts/use-labels.ts'
import { useAdmin } from '../use-admin.ts'

const read = ({ recordings, next }: AdminRecordingListResponse) => ({ rows: recordings, next })

export function RecordingsSection() {
  const { t } = useTexts()
  const { api } = useAdmin()
  const format = useFormat()
  const labels = useLabels()
  const list = useList('/recordings', read)
  return (
    <ListSection
      title={t('admin.sections.recordings')}
      list={list}
      keyOf={({ job_id }: AdminRecording) => job_id}
      empty={t('admin.recordings.none')}
      columns={[
        { key: 'started', label: t('admin.column.started'), render: each => format.time(each.started_at_ms) },
        { key: 'tag', label: t('admin.column.tag'), render: each => each.conference_tag },
        { key: 'owner', label: t('admin.column.owner'), render: each => each.owner ?? '—' },
        {
          key: 'duration',
          label: t('admin.column.duration'),
          render: each => format.duration(each.duration_ms),
        },
        {
          key: 'size',
          label: t('admin.column.size'),
          render: each => format.bytes(each.bytes),
          isNumeric: true,
        },
        { key: 'status', label: t('admin.column.state'), render: each => labels.recordStatus(each.status) },
      ]}
      actions={recording => (
        <ActionButton
          label={t('admin.delete')}
          name={t('admin.recordings.deleteNamed', { tag: recording.conference_tag })}
          question={t('admin.recordings.deleteQuestion')}
          done={t('admin.recordings.deleted')}
          danger
          run={() => api.delete(`/recordings/${encodeURIComponent(recording.job_id)}`)}
          onDone={() => void list.refresh()}
        />
      )}
    />
  )
}
