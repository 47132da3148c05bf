import type { AdminRoom, HostedRoom } from '@lectern/protocol'
import { useTexts } from '../../texts/use-texts.ts'
import type { Column } from '../list/DataTable.tsx'
import type { Filter } from '../list/ListSection.tsx'
import { visibleText } from '../parts/format.ts'
import { useFormat } from '../parts/use-format.ts'
import { RoomState } from './room-parts.tsx'

const STATUSES = ['scheduled', 'closed', 'cancelled'] as const

/** What all lists of rooms have: for administrators, and for the partner whose rooms they are. */
export function useRoomListing<Room extends AdminRoom | HostedRoom>() {
  const { t } = useTexts()
  const format = useFormat()
  const filters: Filter[] = [
    {
      name: 'status',
      label: t('admin.column.state'),
      options: STATUSES.map(value => ({ value, label: t(`admin.rooms.status.${value}`) })),
    },
  ]
  const columns: Column<Room>[] = [
    {
      key: 'title',
      label: t('admin.column.title'),
      render: ({ title }) => <bdi>{visibleText(title)}</bdi>,
    },
    {
      key: 'external_id',
      label: t('admin.column.externalId'),
      render: ({ external_id }) => visibleText(external_id),
    },
    { key: 'state', label: t('admin.column.state'), render: room => <RoomState room={room} /> },
    {
      key: 'starts',
      label: t('adminPages.starts'),
      render: ({ starts_at }) => (starts_at === null ? '—' : format.time(Date.parse(starts_at))),
    },
  ]
  return {
    empty: t('admin.rooms.none'),
    emptyHint: t('adminPages.how.rooms'),
    searchLabel: t('admin.rooms.search'),
    filters,
    columns,
  }
}
