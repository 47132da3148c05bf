import type { AdminRoom, AdminRoomListResponse } from '@lectern/protocol'
import { homePath } from '../../address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useList } from '../data/use-list.ts'
import { ListSection } from '../list/ListSection.tsx'
import { RoomMenu } from './room-parts.tsx'
import { useRoomListing } from './use-room-listing.tsx'

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
  const { columns, ...common } = useRoomListing<AdminRoom>()
  const list = useList(path, read)
  return (
    <ListSection
      title={title}
      list={list}
      keyOf={({ room_id }: AdminRoom) => room_id}
      hrefOf={({ tag }) => homePath('admin', 'rooms', tag)}
      {...common}
      columns={[
        ...columns,
        ...(isOfOneAccount
          ? []
          : [{ key: 'owner', label: t('admin.column.owner'), render: ({ owner }: AdminRoom) => owner }]),
        { key: 'tag', label: t('admin.column.tag'), render: room => room.tag },
      ]}
      actions={room => <RoomMenu room={room} onDone={() => void list.refresh()} />}
    />
  )
}
