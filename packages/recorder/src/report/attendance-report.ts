import { deviceIdOf } from '@lectern/protocol/control'
import type { Person } from './people.ts'

/** One person of attendance.json and of `attendance` in report.json, documented in docs/recording.md. */
export interface AttendanceRow {
  user_id: string
  external_id: string | null
  name: string
  role: string
  joined_at_ms: number
  /** Null: present at the end of the recording. */
  left_at_ms: number | null
  present_ms: number
  talk_ms: number
  hand_count: number
  hand_ms: number
  stays: { participant_id: string; device_id: number; joined_at_ms: number; left_at_ms: number | null }[]
}

/** The participants, with times and activity: moderators first, then in order of joining. */
export function attendanceOf(people: Person[], endedAtMs: number): AttendanceRow[] {
  return people.map(person => rowOf(person, endedAtMs)).sort(byRoleAndTime)
}

function rowOf(
  { userId, externalId, name, role, stays, hands, talkMs, voice }: Person,
  endedAtMs: number,
): AttendanceRow {
  const isPresent = stays.some(({ toMs }) => toMs === null)
  const present = stays.map(({ fromMs, toMs }): Interval => [fromMs, toMs ?? endedAtMs])
  const presentMs = coveredMs(present)
  const spoken = voice.map(({ fromMs, toMs }): Interval => [fromMs, toMs])
  return {
    user_id: userId,
    external_id: externalId,
    name,
    role,
    joined_at_ms: Math.min(...stays.map(({ fromMs }) => fromMs)),
    left_at_ms: isPresent ? null : Math.max(...stays.map(({ toMs }) => toMs ?? 0)),
    present_ms: presentMs,
    // Two microphones that hear one person count once, too. Media may arrive before its sender is reported, and after.
    talk_ms: Math.min(Math.round(talkMs), coveredMs(spoken) + presentMs - coveredMs([...spoken, ...present])),
    hand_count: hands.count,
    hand_ms: Math.min(Math.round(hands.durationMs(endedAtMs)), presentMs),
    stays: stays.map(({ person, fromMs, toMs }) => ({
      participant_id: person.participant_id,
      device_id: deviceIdOf(person.participant_id),
      joined_at_ms: fromMs,
      left_at_ms: toMs,
    })),
  }
}

type Interval = [fromMs: number, toMs: number]

/** The length of intervals of which some may overlap: two devices of one person count once. */
function coveredMs(intervals: Interval[]): number {
  let [total, until] = [0, Number.NEGATIVE_INFINITY]
  for (const [fromMs, toMs] of intervals.sort(([a], [b]) => a - b)) {
    total += Math.max(0, toMs - Math.max(fromMs, until))
    until = Math.max(until, toMs)
  }
  return Math.round(total)
}

const byRoleAndTime = (a: AttendanceRow, b: AttendanceRow) =>
  Number(b.role === 'moderator') - Number(a.role === 'moderator') || a.joined_at_ms - b.joined_at_ms
