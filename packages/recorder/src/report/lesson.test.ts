import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HAND_CHANGED, PARTICIPANT_LEFT, PARTICIPANT_PRESENT } from '../session/attendance.ts'
import { EventLog } from '../session/event-log.ts'
import { RaisedHands } from '../session/raised-hands.ts'
import { attendanceCsv } from './attendance-csv.ts'
import { attendanceOf } from './attendance-report.ts'
import { CHAPTERS_MAX, chaptersOf } from './chapters.ts'
import { type Person, peopleOf } from './people.ts'
import { posterMoment } from './poster.ts'

/** Names that spreadsheets, bidirectional text and terminals misinterpret. */
const NAMES = {
  formula: '=HYPERLINK("http://x","y")',
  hidden: '\u202e\t@SUM(1)',
  hebrew: 'ענת כהן',
  long: 'Ä'.repeat(500),
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-report-'))
})
afterEach(() => rm(folder, { recursive: true }))

const present = (log: EventLog, id: string, user: string, atMs: number, name = user, role = 'participant') =>
  log.add(
    PARTICIPANT_PRESENT,
    { participant_id: id, user_id: user, display_name: name, role, joined_at_ms: atMs },
    atMs,
  )
const left = (log: EventLog, participant_id: string, atMs: number) =>
  log.add(PARTICIPANT_LEFT, { participant_id }, atMs)
const hand = (log: EventLog, participant_id: string, raised_at_ms: number | null, atMs: number) =>
  log.add(HAND_CHANGED, { participant_id, raised_at_ms }, atMs)

describe('the attendance report', () => {
  it('adds up the stays of a person who rejoins three times, on two devices for a while', () => {
    const log = new EventLog(folder)
    present(log, '7.1.1', '10', 1_000, 'Teacher', 'moderator')
    present(log, '7.1.2', '20', 500)
    left(log, '7.1.2', 2_000)
    present(log, '7.1.3', '20', 3_000)
    present(log, '7.1.4', '20', 3_500)
    left(log, '7.1.3', 4_000)
    left(log, '7.1.4', 5_000)
    present(log, '7.1.5', '20', 9_000, 'New name')
    // As after a crash: the rest is read from the file.
    const rows = attendanceOf(
      peopleOf(new EventLog(folder).attendance, [], new Map([['20', 'pupil-20']])),
      10_000,
    )
    expect(rows.map(({ name }) => name)).toEqual(['Teacher', 'New name'])
    expect(rows.map(({ external_id }) => external_id)).toEqual([null, 'pupil-20'])
    expect(attendanceCsv(rows)).toMatch(/"external_id"\r\n.*,""\r\n.*,"pupil-20"\r\n$/)
    expect(rows[1]).toMatchObject({
      ...{ user_id: '20', joined_at_ms: 500, left_at_ms: null, present_ms: 1_500 + 2_000 + 1_000 },
      ...{ talk_ms: 0, hand_count: 0, hand_ms: 0 },
    })
    expect(rows[1]?.stays.map(({ device_id, joined_at_ms }) => [device_id, joined_at_ms])).toEqual([
      [2, 500],
      [3, 3_000],
      [4, 3_500],
      [5, 9_000],
    ])
  })

  it('counts raised hands until they are lowered, by leaving too, or until the end', () => {
    const log = new EventLog(folder)
    present(log, '7.1.1', '10', 0)
    present(log, '7.1.2', '20', 0)
    hand(log, '7.1.1', 1_000, 1_100)
    hand(log, '7.1.1', 1_000, 1_300) // reported again by the next attempt
    hand(log, '7.1.1', null, 3_000)
    hand(log, '7.1.1', 5_000, 5_100)
    hand(log, '7.1.2', 6_000, 6_000)
    left(log, '7.1.2', 7_000)
    const rows = attendanceOf(peopleOf(log.attendance, []), 10_000)
    expect(rows).toMatchObject([
      { hand_count: 2, hand_ms: 2_000 + 5_000 },
      { hand_count: 1, hand_ms: 1_000, left_at_ms: 7_000 },
    ])
  })

  it('counts speech that two microphones of one person hear once', () => {
    const log = new EventLog(folder)
    present(log, '7.1.1', '10', 0)
    const [person] = peopleOf(log.attendance, [])
    if (!person) throw new Error('nobody is present')
    const speech = (fromMs: number, toMs: number) => ({ fromMs, toMs })
    const voice = [speech(1_000, 5_000), speech(8_000, 9_000), speech(2_000, 6_000)]
    expect(attendanceOf([{ ...person, talkMs: 9_000, voice }], 10_000)).toMatchObject([{ talk_ms: 6_000 }])
    // Spans that were bridged to save memory do not count.
    expect(attendanceOf([{ ...person, talkMs: 3_000, voice }], 10_000)).toMatchObject([{ talk_ms: 3_000 }])
  })

  it('counts speech and raised hands while their person is present', () => {
    const log = new EventLog(folder)
    present(log, '7.1.1', '10', 1_000)
    hand(log, '7.1.1', 200, 1_000) // raised before the recording began
    left(log, '7.1.1', 3_000)
    const [person] = peopleOf(log.attendance, [])
    if (!person) throw new Error('nobody is present')
    const voice = [
      { fromMs: 0, toMs: 1_500 },
      { fromMs: 2_000, toMs: 9_000 },
    ]
    expect(attendanceOf([{ ...person, talkMs: 8_500, voice }], 10_000)).toMatchObject([
      { present_ms: 2_000, talk_ms: 1_500, hand_ms: 2_000 },
    ])
  })

  it('as CSV has no cell that a spreadsheet executes, and one line for each person', () => {
    const log = new EventLog(folder)
    const names = [...Object.values(NAMES), '-1', '+1', ' =1', '＝1', 'a,"b"\r\nc']
    for (const [index, name] of names.entries()) present(log, `7.1.${index}`, String(index), 0, name)
    const csv = attendanceCsv(attendanceOf(peopleOf(log.attendance, []), 90_000))
    expect(csv.startsWith('\ufeff"name","role",')).toBe(true)
    const lines = csv.slice(1).split('\r\n')
    expect(lines).toHaveLength(names.length + 2)
    const cells = lines.slice(1, -1).map(line => line.slice(0, line.indexOf('","participant"')))
    expect(cells).toEqual([
      `"'=HYPERLINK(""http://x"",""y"")`,
      `"' @SUM(1)`,
      `"${NAMES.hebrew}`,
      `"${NAMES.long}`,
      `"'-1`,
      `"'+1`,
      `"' =1`,
      `"'＝1`,
      `"a,""b"" c`,
    ])
    expect(lines[1]).toMatch(/"participant","0","1970-01-01T00:00:00.000Z","","1","90","0","0","0",""$/)
  })
})

describe('the log of events', () => {
  it('keeps nothing in memory but attendance, however many messages there are', async () => {
    const log = new EventLog(folder)
    present(log, '7.1.1', '10', 0)
    for (let index = 0; index < 3_000; index++)
      log.add('chat.message', { message: { message_id: `message ${index} ✓` } }, index)
    left(log, '7.1.1', 4_000)
    expect(log.attendance.presence.changeTimes()).toEqual([0, 4_000])
    expect(new EventLog(folder).attendance.presence.changeTimes()).toEqual([0, 4_000])
    expect((await stat(log.file)).size).toBeGreaterThan(200_000)
  })
})

const aPerson = (userId: string, changes: Partial<Person> = {}): Person => ({
  ...{
    userId,
    externalId: null,
    name: `Name ${userId}`,
    role: 'participant',
    stays: [],
    hands: new RaisedHands(),
  },
  ...{ talkMs: 0, voice: [], screens: [], cameras: [], ...changes },
})
const span = (fromMs: number, toMs: number) => ({ fromMs: 1_000_000 + fromMs, toMs: 1_000_000 + toMs })
const chapters = (people: Person[], durationMs: number) =>
  chaptersOf(people, 1_000_000, 1_000_000 + durationMs).map(each => [
    each.kind,
    each.user_id,
    each.from_ms,
    each.to_ms,
  ])

describe('chapters', () => {
  it('follow the main speaker and shared screens, not every word', () => {
    const people = [
      aPerson('1', {
        voice: [span(2_000, 30_000), span(41_000, 41_500), span(61_000, 90_000)],
        screens: [
          span(15_000, 20_000),
          span(22_000, Number.POSITIVE_INFINITY),
          { fromMs: 0, toMs: 1_000_100 },
        ],
      }),
      aPerson('2', { voice: [span(12_000, 13_500), span(33_000, 59_000)] }),
      aPerson('3'),
    ]
    expect(chapters(people, 95_000)).toEqual([
      ['speaker', '1', 2_000, 33_000],
      ['screen', '1', 15_000, 95_000],
      ['speaker', '2', 33_000, 61_000],
      ['speaker', '1', 61_000, 95_000],
    ])
  })

  it('do not exist when nobody speaks or shares', () => {
    expect(chapters([aPerson('1')], 3_600_000)).toEqual([])
    expect(chapters([], 0)).toEqual([])
  })

  it('are at most a hundred of each kind in a lesson of ten hours with quick changes', () => {
    const hours = 10 * 3_600_000
    const turns = Array.from({ length: hours / 10_000 }, (_, index) => index * 10_000)
    const people = [0, 1].map(remainder =>
      aPerson(String(remainder), {
        voice: turns
          .filter((_, index) => index % 2 === remainder)
          .map(at => span(at, at + 5_000 + (at % 70_000))),
        screens: turns.filter((_, index) => index % 2 === remainder).map(at => span(at, at + 4_000)),
      }),
    )
    const found = chapters(people, hours)
    const count = (kind: string) => found.filter(([each]) => each === kind).length
    expect([count('speaker') > 0, count('speaker') <= CHAPTERS_MAX, count('screen')]).toEqual([
      true,
      true,
      CHAPTERS_MAX,
    ])
  })
})

describe('the moment of the poster', () => {
  const moment = (people: Person[]) => posterMoment(people, 1_000_000, 1_060_000)
  it('is the one with most content, or the middle without any', () => {
    const cameras = [aPerson('1', { cameras: [span(-5_000, 20_000)] })]
    expect(moment(cameras)).toBe(2_000)
    cameras.push(aPerson('2', { cameras: [span(10_000, 11_000)], screens: [span(50_000, 58_000)] }))
    expect(moment(cameras)).toBe(10_480)
    expect(moment([aPerson('1', { cameras: [span(70_000, 80_000)] })])).toBe(30_000)
    expect(moment([])).toBe(30_000)
  })

  it('is the beginning of a frame, also in a recording of one frame', () => {
    expect(posterMoment([], 1_000_000, 1_000_040)).toBe(0)
    expect(posterMoment([], 1_000_000, 1_000_200)).toBe(80)
    expect(moment([aPerson('1', { cameras: [span(59_970, 60_000)] })])).toBe(59_960)
  })
})
