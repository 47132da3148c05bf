import { Settings } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import { ControlButton } from '../bar/ControlButton.tsx'
import type { Room } from '../room.ts'

export function OptionsButton({ room }: { room: Room }) {
  const { t } = useTexts()
  return (
    <ControlButton icon={Settings} label={t('options.title')} onClick={() => room.dialogs.show('options')} />
  )
}
