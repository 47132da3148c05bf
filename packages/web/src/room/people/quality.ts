import type { Quality } from '../../call/connection-qualities.ts'
import type { Person } from './people.ts'

const FROM_WORST = ['poor', 'fair'] as const

/** The worst quality of the connected devices where it is weak; null: it is good, or nothing is known. */
export function weakQualityOf(
  { isAway, devices }: Person,
  qualities: ReadonlyMap<string, Quality>,
): 'poor' | 'fair' | 'lost' | null {
  if (isAway) return 'lost'
  const here = devices.filter(each => !each.isAway).map(each => qualities.get(each.id))
  return FROM_WORST.find(quality => here.includes(quality)) ?? null
}
