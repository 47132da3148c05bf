import { describe, expect, it } from 'vitest'
import { describeCountdown, describeDistance, describeWhen } from './format.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const london = { locale: 'en-GB', timeZone: 'Europe/London' }
const newYork = { locale: 'en-US', timeZone: 'America/New_York' }
const moscow = { locale: 'ru', timeZone: 'Europe/Moscow' }
const start = Date.UTC(2026, 8, 1, 9, 30)
const now = start - HOUR

/** Punctuation and abbreviations differ between the versions of ICU in browsers and Node. */
const like = (pattern: RegExp) => expect.stringMatching(pattern)

describe('describeWhen', () => {
  it("formats the time for the user's zone and locale", () => {
    expect(describeWhen(start, start + 45 * MINUTE, now, london)).toEqual({
      date: like(/^Tuesday,? 1 September$/),
      time: like(/^10:30\s?–\s?11:15$/),
      known: 'both',
      brief: like(/^10:30\s?–\s?11:15$/),
      duration: like(/^45 mins?$/),
      zone: like(/^British Summer Time \(GMT\+1\)$/),
      leaf: { month: like(/^Sept?$/), day: '1', weekday: 'Tue' },
    })
    expect(describeWhen(start, start + 90 * MINUTE, now, moscow)).toMatchObject({
      date: 'вторник, 1 сентября',
      time: like(/^12:30\s?–\s?14:00$/),
      duration: like(/^1 ч\.? 30 мин\.?$/),
      zone: like(/^Москва, стандартное время \(GMT\+3\)$/),
    })
    expect(describeWhen(start, start + 90 * MINUTE, now, newYork)?.time).toMatch(/^5:30\s–\s7:00\sAM$/)
  })

  it('includes both dates when the meeting runs past midnight', () => {
    expect(describeWhen(start, start + 14 * HOUR, now, london)).toMatchObject({
      date: like(/^Tuesday,? 1 September\s–\sWednesday,? 2 September$/),
      time: '10:30 – 00:30',
      duration: like(/^14 hrs?$/),
    })
  })

  it('includes the year unless it is the current one', () => {
    expect(describeWhen(start, null, Date.UTC(2025, 11, 1), london)?.date).toContain('2026')
    expect(describeWhen(start, null, now, london)?.date).not.toContain('2026')
  })

  it('briefly omits the date of today', () => {
    const briefly = (at: number) => describeWhen(start, start + HOUR, at, london)?.brief
    expect(briefly(start + 2 * HOUR)).toMatch(/^10:30\s?–\s?11:30$/)
    expect(briefly(start - 24 * HOUR)).toMatch(/^1 Sept?,? 10:30\s?–\s?11:30$/)
    expect(briefly(start - 365 * 24 * HOUR)).toMatch(/^1 Sept? 2026,? 10:30\s?–\s?11:30$/)
  })

  it('names the times that are known', () => {
    expect(describeWhen(start, null, now, london)).toMatchObject({
      known: 'start',
      time: '10:30',
      duration: null,
    })
    expect(describeWhen(null, start, now, london)).toMatchObject({
      known: 'end',
      time: '10:30',
      duration: null,
    })
    expect(describeWhen(null, null, now, london)).toBeNull()
  })
})

describe('describeDistance', () => {
  const away = (ms: number, context = london) => describeDistance(now + ms, now, context)

  it('counts minutes, then hours, then calendar days', () => {
    expect(away(25 * MINUTE)).toBe('in 25 minutes')
    expect(away(24 * MINUTE + SECOND)).toBe('in 25 minutes')
    expect(away(1)).toBe('in 1 minute')
    expect(away(5 * HOUR)).toBe('in 5 hours')
    expect(away(30 * HOUR)).toBe('tomorrow')
    expect(away(39 * HOUR)).toBe('in 2 days') // 08:30 + 39 h is the day after tomorrow's 00:30
    expect(away(-5 * MINUTE)).toBe('5 minutes ago')
    expect(away(-6 * MINUTE + SECOND)).toBe('5 minutes ago')
    expect(away(-30 * HOUR)).toBe('yesterday')
  })

  it('counts distant times in months and years', () => {
    expect(away(59 * 24 * HOUR)).toBe('in 59 days')
    expect(away(90 * 24 * HOUR)).toBe('in 3 months')
    expect(away(1635 * 24 * HOUR)).toBe('in 4 years')
    expect(away(-400 * 24 * HOUR)).toBe('13 months ago')
  })

  it('has the three plurals of Russian', () => {
    expect(away(MINUTE, moscow)).toBe('через 1 минуту')
    expect(away(3 * MINUTE, moscow)).toBe('через 3 минуты')
    expect(away(11 * MINUTE, moscow)).toBe('через 11 минут')
    expect(away(21 * MINUTE, moscow)).toBe('через 21 минуту')
    expect(away(-22 * MINUTE, moscow)).toBe('22 минуты назад')
  })
})

describe('describeCountdown', () => {
  it('counts seconds, never below one, and minutes when there are many', () => {
    expect(describeCountdown(now + 12 * SECOND, now, london)).toBe('in 12 seconds')
    expect(describeCountdown(now - SECOND, now, london)).toBe('in 1 second')
    expect(describeCountdown(now + 2 * SECOND, now, moscow)).toBe('через 2 секунды')
    expect(describeCountdown(now + 10 * MINUTE, now, london)).toBe('in 10 minutes')
  })
})
