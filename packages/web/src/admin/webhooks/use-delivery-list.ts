import type { AdminDelivery, EndpointDelivery } from '@lectern/protocol'
import { useEffect } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import type { PagedList } from '../data/paged-list.ts'
import { useList } from '../data/use-list.ts'
import type { Filter } from '../list/ListSection.tsx'

const STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const
const POLL_MS = 5_000

/**
 * A list of deliveries; those that wait or are being sent change by themselves. A change of `refreshes` loads the list
 * again.
 */
export function useDeliveryList<Row extends AdminDelivery | EndpointDelivery, Body>(
  path: string,
  read: (body: Body) => { rows: readonly Row[]; next: string | null },
  refreshes: number,
): PagedList<Row, never> {
  const list = useList(path, read)
  const state = useValue(list)
  const isWaiting = state.is === 'known' && state.rows.some(({ status }) => status === 'pending')
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => document.visibilityState === 'visible' && void list.poll(), POLL_MS)
    return () => clearInterval(timer)
  }, [list, isWaiting])
  useEffect(() => {
    if (refreshes > 0) void list.refresh()
  }, [list, refreshes])
  return list
}

export function useDeliveryFilters(): Filter[] {
  const { t } = useTexts()
  return [
    {
      name: 'status',
      label: t('admin.column.state'),
      options: STATUSES.map(value => ({ value, label: t(`admin.webhooks.status.${value}`) })),
    },
  ]
}
