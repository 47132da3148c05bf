import type { AdminRoom, AdminRoomListResponse } from '@lectern/protocol'
import { homePath } from '../../address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useList } from '../data/use-list.ts'
import { ListSection } from '../list/ListSection.tsx'
import { visibleText } from '../parts/format.ts'
import { useFormat } from '../parts/use-format.ts'
import { RoomMenu, RoomState } from './room-parts.tsx'

const STATUSES = ['scheduled', 'closed', 'cancelled'] as const
const read = ({ rooms, next }: AdminRoomListResponse) => ({ rows: rooms, next })

interface Props {
  /** The path of a list of partner rooms. */
  path: string
  title: string
  /** All are of one service account. */
  isOfOneAccount?: boolean
}

export function RoomList({ path, title, isOfOneAccount = false }: Props) {
  const { t } = useTexts()
  const format = useFormat()
  const list = useList(path, read)
  return (
    <ListSection
      title={title}
      list={list}
      keyOf={({ room_id }: AdminRoom) => room_id}
      hrefOf={({ tag }) => homePath('admin', 'rooms', tag)}
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
          render: room => <bdi>{visibleText(room.title)}</bdi>,
        },
        {
          key: 'external_id',
          label: t('admin.column.externalId'),
          render: room => visibleText(room.external_id),
        },
        { key: 'state', label: t('admin.column.state'), render: room => <RoomState room={room} /> },
        {
          key: 'starts',
          label: t('adminPages.starts'),
          render: ({ starts_at }) => (starts_at === null ? '—' : format.time(Date.parse(starts_at))),
        },
        ...(isOfOneAccount
          ? []
          : [{ key: 'owner', label: t('admin.column.owner'), render: ({ owner }: AdminRoom) => owner }]),
        { key: 'tag', label: t('admin.column.tag'), render: room => room.tag },
      ]}
      actions={room => <RoomMenu room={room} onDone={() => void list.refresh()} />}
    />
  )
}
