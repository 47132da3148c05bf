import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import type { Room } from '../room.ts'
import { ControlButton } from './ControlButton.tsx'
import { LayoutDialog } from './LayoutDialog.tsx'
import { layoutIcons } from './layout-icons.ts'

/** Opens the choice of the layout; the icon shows the present one. */
export function LayoutButton({ room }: { room: Room }) {
  const { t } = useTexts()
  const [isOpen, setOpen] = useState(false)
  const layout = useValue(room.layout)
  return (
    <>
      <ControlButton
        icon={layoutIcons[layout]}
        label={t('stage.layout.title')}
        hint={t(`stage.layout.${layout}`)}
        shortcut="G"
        onClick={() => setOpen(true)}
      />
      {isOpen && <LayoutDialog room={room} onClose={() => setOpen(false)} />}
    </>
  )
}
