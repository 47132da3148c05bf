import { useTexts } from '../../texts/use-texts.ts'
import { RoomDetails } from './RoomDetails.tsx'
import { RoomList } from './RoomList.tsx'

export function RoomsSection({ id }: { id: string | null }) {
  const { t } = useTexts()
  if (id !== null) return <RoomDetails tag={id} />
  return <RoomList path="/rooms" title={t('admin.sections.rooms')} />
}
