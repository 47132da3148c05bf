import type { AdminRoom, AdminRoomListResponse } from '@lectern/protocol'
import { useTexts } from '../../texts/use-texts.ts'
import { useList } from '../data/use-list.ts'
import { ListSection } from '../list/ListSection.tsx'
import { ActionButton } from '../parts/ActionButton.tsx'
import { Badge } from '../parts/Badge.tsx'
import { visibleText } from '../parts/format.ts'
import { useAdmin } from '../use-admin.ts'

const STATUSES = ['scheduled', 'closed', 'cancelled'] as const
const read = ({ rooms, next }: AdminRoomListResponse) => ({ rows: rooms, next })

export function RoomsSection() {
  const { t } = useTexts()
  return <RoomList path="/rooms" title={t('admin.sections.rooms')} />
}

interface ListProps {
  /** Of a list of partner rooms. */
  path: string
  title: string
  /** All are of one service account. */
  isOfOneAccount?: boolean
}

export function RoomList({ path, title, isOfOneAccount = false }: ListProps) {
  const { t } = useTexts()
  const { api } = useAdmin()
  const list = useList(path, read)
  const pathOf = ({ tag }: AdminRoom) => `/rooms/${encodeURIComponent(tag)}`
  return (
    <ListSection
      title={title}
      list={list}
      keyOf={({ room_id }: AdminRoom) => room_id}
      empty={t('admin.rooms.none')}
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
        { key: 'tag', label: t('admin.column.tag'), render: room => room.tag },
        ...(isOfOneAccount
          ? []
          : [{ key: 'owner', label: t('admin.column.owner'), render: ({ owner }: AdminRoom) => owner }]),
        {
          key: 'state',
          label: t('admin.column.state'),
          render: ({ status, live }) =>
            live ? (
              <Badge tone="good">{t('admin.live')}</Badge>
            ) : (
              <Badge tone="plain">{t(`admin.rooms.status.${status}`)}</Badge>
            ),
        },
      ]}
      actions={room => (
        <>
          {room.status !== 'closed' && (
            <ActionButton
              label={t('admin.rooms.close')}
              name={t('admin.rooms.closeNamed', { title: visibleText(room.title) })}
              question={t('admin.rooms.closeQuestion', { title: visibleText(room.title) })}
              done={t('admin.rooms.closed', { title: visibleText(room.title) })}
              danger
              run={() => api.post(`${pathOf(room)}/close`)}
              onDone={() => void list.refresh()}
            />
          )}
          {room.status !== 'cancelled' && (
            <ActionButton
              label={t('admin.rooms.cancel')}
              name={t('admin.rooms.cancelNamed', { title: visibleText(room.title) })}
              question={t('admin.rooms.cancelQuestion', { title: visibleText(room.title) })}
              keep={t('admin.rooms.keep')}
              done={t('admin.rooms.cancelled', { title: visibleText(room.title) })}
              danger
              run={() => api.post(`${pathOf(room)}/cancel`)}
              onDone={() => void list.refresh()}
            />
          )}
        </>
      )}
    />
  )
}
