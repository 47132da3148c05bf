import type { HostedRoom } from '@lectern/protocol'
import { useList } from '../../admin/data/use-list.ts'
import { ListSection } from '../../admin/list/ListSection.tsx'
import { visibleText } from '../../admin/parts/format.ts'
import { useFormat } from '../../admin/parts/use-format.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { newestFirst, pageOf } from '../pages.ts'
import { useIntegrationPath } from '../use-integration.ts'
import { RoomDetails } from './RoomDetails.tsx'
import { RoomState } from './RoomState.tsx'

const STATUSES = ['scheduled', 'closed', 'cancelled'] as const
const read = pageOf<'rooms', HostedRoom>('rooms')

export function RoomsSection({ externalId }: { externalId: string | null }) {
  return externalId === null ? <RoomList /> : <RoomDetails externalId={externalId} />
}

function RoomList() {
  const { t } = useTexts()
  const format = useFormat()
  const path = useIntegrationPath()
  const list = useList('/rooms', read)
  return (
    <ListSection
      title={t('integrations.sections.rooms')}
      list={list}
      query={newestFirst}
      keyOf={({ tag }: HostedRoom) => tag}
      hrefOf={({ external_id }) => path('rooms', external_id)}
      empty={t('admin.rooms.none')}
      emptyHint={t('adminPages.how.rooms')}
      searchLabel={t('admin.rooms.search')}
      filters={[
        {
          name: 'status',
          label: t('admin.column.state'),
          options: [
            { value: '', label: t('admin.all') },
            ...STATUSES.map(value => ({ value, label: t(`admin.rooms.status.${value}`) })),
          ],
        },
      ]}
      columns={[
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
      ]}
    />
  )
}
