import type { HostedRoom } from '@lectern/protocol'
import { StateBadge } from '../../admin/parts/StateBadge.tsx'

export const RoomState = ({ room: { live, status } }: { room: HostedRoom }) => (
  <StateBadge of="room" state={live || status === 'active' ? 'live' : status} />
)
