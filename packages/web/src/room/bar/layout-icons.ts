import { Focus, GalleryVerticalEnd, LayoutGrid, type LucideIcon, Presentation } from 'lucide-react'
import type { LayoutName } from '../stage/selection/layout.ts'

export const layoutIcons: Record<LayoutName, LucideIcon> = {
  webinar: Focus,
  grid: LayoutGrid,
  speaker: GalleryVerticalEnd,
  presentation: Presentation,
}
