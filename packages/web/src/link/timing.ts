import type { Invitation } from './invitation.ts'

/** How the room relates to its schedule. `at` is the time that the hint refers to. */
export type Timing =
  | { is: 'ahead'; at: number }
  | { is: 'starting' }
  | { is: 'due'; at: number } // should have started, but nobody has joined
  | { is: 'over'; at: number }
  | { is: 'anytime' } // no schedule
  | { is: 'live' }
  | { is: 'live-until'; at: number }
  | { is: 'overtime' }

const STARTING_MS = 60_000

export function timingOf({ startsAt, endsAt, live }: Invitation, now: number): Timing {
  if (live) {
    if (endsAt === null) return { is: 'live' }
    return now < endsAt ? { is: 'live-until', at: endsAt } : { is: 'overtime' }
  }
  if (endsAt !== null && now >= endsAt) return { is: 'over', at: endsAt }
  if (startsAt === null) return { is: 'anytime' }
  if (now < startsAt) return { is: 'ahead', at: startsAt }
  return now < startsAt + STARTING_MS ? { is: 'starting' } : { is: 'due', at: startsAt }
}
