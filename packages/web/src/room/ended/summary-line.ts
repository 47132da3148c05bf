import { useTexts } from '../../texts/use-texts.ts'
import { describeDuration } from '../../time/format.ts'
import { TEACHER, useModeratorTerm } from '../moderator-term.ts'
import type { LessonSummary } from './lesson-log.ts'

/** "47 min · 8 students" for the moderator, "47 min" for the others; null where nothing is known. */
export function useSummaryLine(lesson: LessonSummary | null): string | null {
  const { t, locale } = useTexts()
  const hasTeacher = useModeratorTerm() === TEACHER
  if (!lesson) return null
  const { durationMs, isModerator, others } = lesson
  const count = others.filter(each => !hasTeacher || !each.isModerator).length
  const people =
    isModerator && (hasTeacher ? t('lessonEnd.students', { count }) : t('lessonEnd.people', { count }))
  const parts = [describeDuration(durationMs, { locale }), people].filter(Boolean)
  return parts.length > 0 ? parts.join(' · ') : null
}
