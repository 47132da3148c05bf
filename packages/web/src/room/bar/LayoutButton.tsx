import { GalleryVerticalEnd, LayoutGrid } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import type { Layout } from '../stage/layout.ts'
import { ControlButton } from './ControlButton.tsx'

/** Icon and label show the layout that a click selects. */
export function LayoutButton({ layout }: { layout: Layout }) {
  const { t } = useTexts()
  const isGrid = useValue(layout) === 'grid'
  return (
    <ControlButton
      icon={isGrid ? GalleryVerticalEnd : LayoutGrid}
      label={isGrid ? t('room.layout.speaker') : t('room.layout.grid')}
      shortcut="G"
      onClick={layout.toggle}
    />
  )
}
