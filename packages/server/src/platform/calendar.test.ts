import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { type CalendarEvent, formatCalendar } from './calendar.ts'

const lesson: CalendarEvent = {
  uid: 'abcd-efghj-kmnp@lectern',
  sequence: 3,
  changedAtMs: Date.parse('2026-08-01T12:00:00.500Z'),
  startsAtMs: Date.parse('2026-09-01T10:00:00+03:00'),
  endsAtMs: Date.parse('2026-09-01T11:00:00+03:00'),
  title: 'Algebra; lesson 12, part \\2',
  description: 'First line\r\nsecond line',
  url: 'https://meet.example/conferences/abcd-efghj-kmnp',
  isCancelled: false,
}
const parse = (text: string) =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map(each => new ICAL.Event(each))

describe('formatCalendar', () => {
  it('writes what an independent parser reads', () => {
    const [event] = parse(formatCalendar('Lessons', [lesson]))
    expect(event).toMatchObject({
      uid: lesson.uid,
      sequence: 3,
      summary: lesson.title,
      description: `First line\nsecond line\n\n${lesson.url}`,
      location: lesson.url,
    })
    expect(event?.startDate.toJSDate().getTime()).toBe(lesson.startsAtMs)
    expect(event?.endDate.toJSDate().getTime()).toBe(lesson.endsAtMs)
    expect(event?.component.getFirstPropertyValue('status')).toBe('CONFIRMED')
    expect(String(event?.component.getFirstPropertyValue('dtstamp'))).toBe('2026-08-01T12:00:00Z')
  })

  it('marks cancelled events, and leaves an open end out', () => {
    const text = formatCalendar('Lessons', [{ ...lesson, isCancelled: true, endsAtMs: null }])
    expect(text).toContain('\r\nSTATUS:CANCELLED\r\n')
    expect(text).not.toContain('DTEND')
  })

  it('leaves out an end that is not later than the start, as that of a lesson of a moment', () => {
    const startsAtMs = Date.parse('2026-09-01T10:00:00.200Z')
    const text = formatCalendar('Lessons', [{ ...lesson, startsAtMs, endsAtMs: startsAtMs + 700 }])
    expect(text).not.toContain('DTEND')
  })

  it('has years of four digits: another form would make programs refuse all other events, too', () => {
    const startsAtMs = Date.parse('9999-12-31T23:59:00-10:00')
    const text = formatCalendar('Lessons', [{ ...lesson, startsAtMs, endsAtMs: null }])
    expect(text).toContain('\r\nDTSTART:99991231T235959Z\r\n')
    const before = formatCalendar('Lessons', [
      { ...lesson, startsAtMs: Date.parse('0000-01-01T00:00+10:00') },
    ])
    expect(before).toContain('\r\nDTSTART:00000101T000000Z\r\n')
  })

  it('folds lines at 75 octets without dividing a character', () => {
    const title = `${'Übung 数学 👩🏽‍🏫 '.repeat(20)}end`
    const text = formatCalendar('Lessons', [{ ...lesson, title }])
    const lines = text.split('\r\n')
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    for (const line of lines) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
      expect(line).not.toContain('\ufffd')
    }
    expect(parse(text)[0]?.summary).toBe(title)
  })

  it('keeps the text of one property from becoming another', () => {
    const title = 'A\r\nSTATUS:CANCELLED\u0000\u2028B'
    const [event] = parse(formatCalendar('Lessons', [{ ...lesson, title }]))
    expect(event?.summary).toBe('A\nSTATUS:CANCELLED\u2028B')
    expect(event?.component.getAllProperties('status')).toHaveLength(1)
  })
})
