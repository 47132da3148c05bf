import type { OwnConference } from '../meetings/own-conference.ts'

/** The assumed length of a meeting whose end is not planned. */
const USUAL_MS = 12 * 60 * 60 * 1000

/**
 * Meetings that take place now, then planned ones by their start, then those without a time, and last those that are
 * over.
 */
export function meetingsInOrder(list: readonly OwnConference[], now: number): OwnConference[] {
  const rankOf = ({ live, startsAt, endsAt }: OwnConference) => {
    if (live) return 0
    if (startsAt === null) return 2
    return (endsAt ?? startsAt + USUAL_MS) < now ? 3 : 1
  }
  const startOf = (meeting: OwnConference) => (rankOf(meeting) === 1 ? (meeting.startsAt ?? 0) : 0)
  return [...list].sort((one, other) => rankOf(one) - rankOf(other) || startOf(one) - startOf(other))
}
