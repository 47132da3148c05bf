import type { AdminPush, AdminPushQueueResponse } from '@lectern/protocol'
import { useTexts } from '../../texts/use-texts.ts'
import { useResource } from '../data/use-resource.ts'
import { DataTable } from '../list/DataTable.tsx'
import { EmptyList } from '../list/EmptyList.tsx'
import { Badge } from '../parts/Badge.tsx'
import { ResourceStatus } from '../parts/Resource.tsx'
import { useFormat } from '../parts/use-format.ts'

const REFRESH_MS = 10_000

/** Push notifications that wait, without their texts. */
export function PushSection() {
  const { t } = useTexts()
  const format = useFormat()
  const { state, reload } = useResource<AdminPushQueueResponse>('/push-queue', REFRESH_MS)
  if (state.is !== 'known') return <ResourceStatus state={state} reload={reload} />
  const { enabled, pending, pushes } = state.body
  return (
    <>
      <p>
        {enabled ? t('admin.push.pending', { number: format.number(pending) }) : t('admin.push.disabled')}
      </p>
      {pushes.length === 0 && (
        <EmptyList text={t('adminPages.nothingWaits')} hint={t('adminPages.how.push')} />
      )}
      {pushes.length > 0 && (
        <DataTable
          label={t('admin.sections.push')}
          rows={pushes}
          keyOf={({ id }: AdminPush) => id}
          actionsLabel={t('admin.actions')}
          columns={[
            {
              key: 'created',
              label: t('admin.column.created'),
              render: each => format.time(each.created_at_ms),
            },
            { key: 'login', label: t('admin.column.login'), render: each => each.login },
            { key: 'type', label: t('admin.column.kind'), render: each => each.type },
            { key: 'origin', label: t('admin.column.service'), render: each => each.origin || '—' },
            {
              key: 'attempts',
              label: t('admin.column.attempts'),
              render: each => each.attempts,
              isNumeric: true,
            },
            {
              key: 'error',
              label: t('admin.column.lastAttempt'),
              render: each => <LastAttempt push={each} />,
            },
            {
              key: 'next',
              label: t('admin.column.next'),
              render: each => format.time(each.next_attempt_at_ms),
            },
          ]}
        />
      )}
    </>
  )
}

/** A push service that refuses has a status instead of an error. */
function LastAttempt({ push: { response_status: status, error } }: { push: AdminPush }) {
  const text = error ?? (status === null ? null : `HTTP ${status}`)
  return text === null ? '—' : <Badge tone="bad">{text}</Badge>
}
