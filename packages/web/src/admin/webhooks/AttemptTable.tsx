import type { AdminDeliveryAttempt } from '@lectern/protocol'
import { useTexts } from '../../texts/use-texts.ts'
import { DataTable } from '../list/DataTable.tsx'
import { Badge } from '../parts/Badge.tsx'
import { useFormat } from '../parts/use-format.ts'

/** The attempts to deliver something. */
export function AttemptTable({ history }: { history: readonly AdminDeliveryAttempt[] }) {
  const { t } = useTexts()
  const format = useFormat()
  if (history.length === 0) return <p>{t('admin.webhooks.noAttempts')}</p>
  return (
    <DataTable
      label={t('admin.column.attempts')}
      rows={history}
      keyOf={attempt => attempt.started_at_ms}
      actionsLabel={t('admin.actions')}
      columns={[
        { key: 'time', label: t('admin.column.time'), render: each => format.time(each.started_at_ms) },
        { key: 'outcome', label: t('admin.column.outcome'), render: each => <Outcome attempt={each} /> },
        {
          key: 'duration',
          label: t('admin.column.duration'),
          render: each => (each.duration_ms === null ? '—' : format.milliseconds(each.duration_ms)),
          isNumeric: true,
        },
        {
          key: 'response',
          label: t('admin.webhooks.response'),
          render: each => (each.excerpt === null ? '—' : <bdi>{each.excerpt}</bdi>),
        },
      ]}
    />
  )
}

function Outcome({ attempt: { response_status: status, error } }: { attempt: AdminDeliveryAttempt }) {
  const { t } = useTexts()
  if (error === 'INTERRUPTED') return <Badge tone="warm">{t('admin.webhooks.interrupted')}</Badge>
  if (error === null) return <Badge tone="good">{`HTTP ${status}`}</Badge>
  return <Badge tone="bad">{error}</Badge>
}
