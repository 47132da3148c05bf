import type { AdminRoom, HostedRoom } from '@lectern/protocol'
import { useTexts } from '../../texts/use-texts.ts'
import { ActionMenu, type MenuAction } from '../parts/ActionMenu.tsx'
import { visibleText } from '../parts/format.ts'
import { StateBadge } from '../parts/StateBadge.tsx'
import { useAdmin } from '../use-admin.ts'

/** For partners, a room in which a session runs is active; both mean the same. */
export function RoomState({
  room: { status, live },
}: {
  room: Pick<AdminRoom | HostedRoom, 'status' | 'live'>
}) {
  return <StateBadge of="room" state={live || status === 'active' ? 'live' : status} />
}

/** A meeting can be cancelled before it takes place, and not while somebody is inside. */
const canCancel = ({ status, live, ends_at }: AdminRoom) =>
  status === 'scheduled' && !live && (ends_at === null || Date.parse(ends_at) > Date.now())

/** The menu of a room that is neither closed nor cancelled. */
export function RoomMenu({ room, onDone }: { room: AdminRoom; onDone: () => void }) {
  const { t } = useTexts()
  const { api } = useAdmin()
  const title = visibleText(room.title)
  const path = `/rooms/${encodeURIComponent(room.tag)}`
  const actions: MenuAction[] = []
  if (canCancel(room))
    actions.push({
      label: t('admin.rooms.cancel'),
      hint: t('adminPages.room.cancelHint'),
      question: t('admin.rooms.cancelQuestion', { title }),
      keep: t('admin.rooms.keep'),
      done: t('admin.rooms.cancelled', { title }),
      danger: true,
      run: () => api.post(`${path}/cancel`),
      onDone,
    })
  if (room.status === 'scheduled')
    actions.push({
      label: t('admin.rooms.close'),
      hint: t('adminPages.room.closeHint'),
      question: t('admin.rooms.closeQuestion', { title }),
      done: t('admin.rooms.closed', { title }),
      danger: true,
      run: () => api.post(`${path}/close`),
      onDone,
    })
  return <ActionMenu name={title} actions={actions} />
}
