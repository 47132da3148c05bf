import { setTimeout as sleep } from 'node:timers/promises'
import type { RandomChoices } from '@lectern/common/testing'
import { enter, openBrowser } from '../recording/people.ts'
import { isSmoke } from '../support/size.ts'
import { type EndedLesson, type LessonPlan, SoakLesson, type Stage } from './lesson.ts'

const MS_PER_MINUTE = 60_000
/** A browser lesson is short: it costs as much as all others. */
const BROWSER_LESSON_MS = 45_000
const LONGEST_PAUSE_MS = isSmoke ? 1_000 : 60_000

/** One lesson as long as the run, with many messages and much coming and going. */
export function longLesson(endsAtMs: number, load: number): LessonPlan {
  return {
    ...{ name: 'long', endsAtMs, authors: 4, messagesPerSecond: 4 * load },
    ...{ students: 2, cameras: 1, isTranscribed: true, ends: 'closed', churnSeconds: 15 / load },
  }
}

/** A lesson of two to six minutes. */
function shortLesson(number: number, nowMs: number, { below, chance, pick }: RandomChoices): LessonPlan {
  return {
    name: `short-${number}`,
    endsAtMs: nowMs + (2 + below(5)) * MS_PER_MINUTE,
    authors: 1 + below(3),
    messagesPerSecond: pick([0.1, 0.5, 1]),
    students: 1 + below(3),
    cameras: below(2),
    isTranscribed: chance(0.3),
    ends: pick(['closed', 'left']),
    churnSeconds: 20,
  }
}

interface Run {
  stage: Stage
  endsAtMs: number
  onEnded: (lesson: EndedLesson) => void
}

/** One short lesson after the other, until the end of the run. */
export async function runShortLessons({ stage, endsAtMs, onEnded }: Run): Promise<void> {
  const { progress, choices } = stage
  for (let number = 1; ; number++) {
    await sleep(choices.below(LONGEST_PAUSE_MS))
    const plan = shortLesson(number, Date.now(), choices)
    if (plan.endsAtMs > endsAtMs) return
    try {
      const lesson = await SoakLesson.begin(stage, plan)
      onEnded(await lesson.run())
    } catch (error) {
      progress.mistake(`${plan.name}: ${error}`)
    }
  }
}

/** A lesson of two browsers now and then. */
export async function runBrowserLessons(
  { stage, endsAtMs, onEnded }: Run,
  everyMinutes: number,
): Promise<void> {
  const { partner, progress } = stage
  if (everyMinutes === 0) return
  for (let number = 1; ; number++) {
    const pauseMs = everyMinutes * MS_PER_MINUTE - BROWSER_LESSON_MS
    if (Date.now() + pauseMs + BROWSER_LESSON_MS > endsAtMs) return
    await sleep(pauseMs)
    const name = `browsers-${number}`
    try {
      const room = await partner.createRoom(name)
      const browser = await openBrowser()
      const leave = [
        await enter(browser, room.teacher_join_url, { name: 'Anna' }),
        await enter(browser, room.student_join_url, { name: 'Mia' }),
      ]
      progress.count('browserLessons')
      const beganAt = Date.now()
      await sleep(BROWSER_LESSON_MS)
      for (const go of leave) await go()
      await browser.close()
      const plan = { ...shortLesson(number, beganAt, stage.choices), name, isTranscribed: false }
      onEnded({ plan, tag: room.tag, durationMs: Date.now() - beganAt })
    } catch (error) {
      progress.failed(name, error)
    }
  }
}
