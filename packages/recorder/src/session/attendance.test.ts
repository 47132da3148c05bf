import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Attendance, PARTICIPANT_LEFT, PARTICIPANT_PRESENT } from './attendance.ts'
import { AttendanceLog } from './attendance-log.ts'
import { EventLog } from './event-log.ts'
import { RaisedHands } from './raised-hands.ts'

const person = (id: number, name = `Name ${id}`) => ({
  ...{ participant_id: String(id), user_id: String(id), display_name: name, role: 'participant' },
  joined_at_ms: id,
})

/** At minute n, person n comes and person n - 1 leaves. */
function sequence(count: number): Attendance {
  const attendance = new Attendance()
  for (let id = 1; id <= count; id++) {
    attendance.add({ at_ms: id, name: PARTICIPANT_PRESENT, body: person(id) })
    if (id > 1)
      attendance.add({ at_ms: id, name: PARTICIPANT_LEFT, body: { participant_id: String(id - 1) } })
  }
  return attendance
}
const namesAt = ({ presence }: Attendance, atMs: number) =>
  presence.at(atMs).map(({ display_name }) => display_name)

it('stores who was present when, for as long as it is needed', () => {
  const attendance = sequence(10)
  expect([0, 1, 5, 10, 99].map(atMs => namesAt(attendance, atMs))).toEqual([
    [],
    ...['Name 1', 'Name 5', 'Name 10', 'Name 10'].map(name => [name]),
  ])
  attendance.presence.prune(5)
  expect([5, 6, 99].map(atMs => namesAt(attendance, atMs))).toEqual([['Name 5'], ['Name 6'], ['Name 10']])
  expect(attendance.presence.changeTimes()).toEqual([6, 6, 7, 7, 8, 8, 9, 9, 10, 10])
  attendance.presence.prune(99)
  expect([attendance.presence.changeTimes(), namesAt(attendance, 99)]).toEqual([[], ['Name 10']])
  expect(attendance.presence.lastChangeMs).toBe(10)
  expect(attendance.stays()).toHaveLength(10)
})

it('knows of those who were there before the recorder since when they are, and of others since it sees them', () => {
  const attendance = new Attendance()
  const joins = (id: number, joinedAtMs: number, seenAtMs: number) =>
    attendance.add({
      at_ms: seenAtMs,
      name: PARTICIPANT_PRESENT,
      body: { ...person(id), joined_at_ms: joinedAtMs },
    })
  joins(1, 1_000, 3_000)
  joins(2, 500, 3_000)
  joins(3, 9_000, 3_000) // the clock of the server is ahead
  joins(4, 2_000, 4_000)
  const seen = [499, 500, 1_000, 2_999, 3_000, 3_999, 4_000].map(atMs => namesAt(attendance, atMs).length)
  expect(seen).toEqual([0, 1, 2, 2, 3, 3, 4])
  expect(attendance.presence.changeTimes()).toEqual([500, 1_000, 3_000, 4_000])
  expect(attendance.presence.lastChangeMs).toBe(4_000)
})

it('merges the oldest changes when there are too many, and keeps the current state', () => {
  const attendance = sequence(1)
  for (let n = 0; n < 50_000; n++)
    attendance.add({ at_ms: 2 + n, name: PARTICIPANT_PRESENT, body: person(1, `Name ${n}`) })
  expect(attendance.presence.changeTimes().length).toBeLessThanOrEqual(10_000)
  expect(namesAt(attendance, 50_000)).toEqual(['Name 49998'])
  expect(namesAt(attendance, 99_999)).toEqual(['Name 49999'])
  expect(attendance.stays()).toMatchObject([
    { person: { display_name: 'Name 49999' }, fromMs: 1, toMs: null },
  ])
})

it('counts two devices of a person with raised hands once', () => {
  const hands = new RaisedHands()
  hands.raise('a', 1_000)
  hands.raise('b', 2_000)
  hands.lower('a', 3_000)
  hands.lower('a', 3_500)
  hands.lower('b', 4_000)
  hands.raise('b', 3_900) // the clocks of server and recorder differ
  expect(hands.upSince('b')).toBe(3_900)
  expect([hands.count, hands.durationMs(4_500)]).toEqual([3, 3_500])
})

it('believes no time of joining that cannot be: the clock of the server was set in between', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-attendance-'))
  const HOUR_MS = 3_600_000
  const startMs = 10 * HOUR_MS
  let inside: unknown[] = []
  const log = new EventLog(folder)
  const held = { session: () => ({ ended: null, participants: inside }) as never }
  const attendance = new AttendanceLog(held, log, log.attendance)
  const joins = (id: number, joinedAtMs: number, seenAtMs: number, name = 'participant.joined') => {
    inside = [...inside, { ...person(id), joined_at_ms: joinedAtMs, hand_raised_at_ms: null }]
    attendance.onEvent({ name, body: {}, atMs: seenAtMs })
  }
  joins(1, startMs - 60_000, startMs, 'session.snapshot') // was there before
  joins(2, startMs + 1_000, startMs + 1_030)
  joins(3, startMs + 2_000 - HOUR_MS, startMs + 2_000) // set back by an hour
  joins(4, startMs + 3_000 + HOUR_MS, startMs + 3_000) // or ahead
  joins(5, startMs + 4_000, startMs + 34_000) // after an interruption of the connection
  joins(6, startMs + 4_000, startMs + 5_000_000, 'session.snapshot') // and after a long one
  inside = []
  attendance.refresh(startMs + 6_000_000)
  await rm(folder, { recursive: true })
  expect(
    log.attendance.stays().map(({ fromMs, toMs }) => [fromMs - startMs, Number(toMs) - startMs]),
  ).toEqual([-60_000, 1_000, 2_000, 3_000, 4_000, 4_000].map(fromMs => [fromMs, 6_000_000]))
})
