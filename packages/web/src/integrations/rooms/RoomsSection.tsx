import type { HostedRoom } from '@lectern/protocol'
import { useList } from '../../admin/data/use-list.ts'
import { ListSection } from '../../admin/list/ListSection.tsx'
import { useRoomListing } from '../../admin/rooms/use-room-listing.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { newestFirst, pageOf } from '../pages.ts'
import { useIntegrationPath } from '../use-integration.ts'
import { RoomDetails } from './RoomDetails.tsx'

const read = pageOf<'rooms', HostedRoom>('rooms')

export function RoomsSection({ externalId }: { externalId: string | null }) {
  return externalId === null ? <RoomList /> : <RoomDetails externalId={externalId} />
}

function RoomList() {
  const { t } = useTexts()
  const path = useIntegrationPath()
  const list = useList('/rooms', read)
  return (
    <ListSection
      title={t('integrations.sections.rooms')}
      list={list}
      query={newestFirst}
      keyOf={({ tag }: HostedRoom) => tag}
      hrefOf={({ external_id }) => path('rooms', external_id)}
      {...useRoomListing<HostedRoom>()}
    />
  )
}
