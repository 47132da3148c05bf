import { createLucideIcon, type LucideIcon, WifiOff } from 'lucide-react'
import type { Quality } from '../call/connection-qualities.ts'

/** The bars of a signal, from the lowest, as in Lucide's icon. */
const BARS = ['M2 20h.01', 'M7 20v-4', 'M12 20v-8', 'M17 20V8', 'M22 4v16']

/** So many bars, with the missing ones faint: two bars alone are not recognised as a signal. */
const signal = (bars: number): LucideIcon =>
  createLucideIcon(
    `signal-${bars}`,
    BARS.map((d, index) => ['path', { d, key: d, opacity: index < bars ? 1 : 0.3 }]),
  )

/** The quality of a participant's connection. */
export const qualityIcons: Record<Quality | 'lost', LucideIcon> = {
  good: signal(5),
  fair: signal(3),
  poor: signal(2),
  lost: WifiOff,
}
