import { useEffect, useRef } from 'react'
import type { CallEndReason } from '../../call/end-reasons.ts'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Message } from '../../ui/Message.tsx'
import { Page } from '../../ui/Page.tsx'
import { MODERATOR, useModeratorTerm } from '../moderator-term.ts'
import type { EndedProps } from '../parts.ts'
import styles from './CallEndedPage.module.css'
import { endActions } from './end-actions.ts'
import { icons } from './icons.ts'
import { LessonReport } from './LessonReport.tsx'
import type { LessonSummary } from './lesson-log.ts'
import { useSummaryLine } from './summary-line.ts'

/** Why the call has ended or was refused, what there was, and what the user can do. */
export function CallEndedPage({ room, reason, lesson, onBack, onRejoin }: EndedProps) {
  const { go } = useSite()
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  const message = useRef<HTMLDivElement>(null)
  const title = useTitle(reason, lesson, room.isCall)
  const line = useSummaryLine(lesson)
  const isReport = lesson?.isModerator && !room.isCall

  // The focused element was removed with the room; focusing the message also announces it.
  useEffect(() => message.current?.focus(), [])

  return (
    <Page title={title} status={title} brand={room.look.brand}>
      <div ref={message} className={styles.message} tabIndex={-1}>
        <Message icon={icons[reason]} title={title} text={line ?? t(`callEnded.${reason}.text`, moderator)}>
          {isReport && <LessonReport lesson={lesson} hasRecordings={room.features.mainNavigation} />}
          <div className={styles.actions}>
            <Actions {...{ reason, onBack, onRejoin }} canStart={isReport === true} />
            {room.look.returnUrl !== null && (
              <a className={styles.return} href={room.look.returnUrl} target="_top">
                {room.look.brand === null
                  ? t('callEnded.return')
                  : t('callEnded.returnTo', { name: room.look.brand })}
              </a>
            )}
            {room.features.mainNavigation && (
              <Button secondary onClick={() => go('/')}>
                {t('menu.start')}
              </Button>
            )}
          </div>
        </Message>
      </div>
    </Page>
  )
}

function useTitle(reason: CallEndReason, lesson: LessonSummary | null, isCall: boolean): string {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  if (lesson && !isCall && lesson.isModerator) return t('lessonEnd.finished', moderator)
  if (lesson?.endedBy && !isCall)
    return t('lessonEnd.endedBy', { name: `\u2068${lesson.endedBy}\u2069`, ...moderator })
  return t(`callEnded.${reason}.title`, isCall ? MODERATOR : moderator)
}

interface ActionsProps extends Pick<EndedProps, 'reason' | 'onBack' | 'onRejoin'> {
  canStart: boolean
}

function Actions({ reason, canStart, onBack, onRejoin }: ActionsProps) {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  switch (endActions[reason]) {
    case 'rejoin':
      return <Button onClick={onRejoin}>{t('callEnded.again')}</Button>
    case 'ask':
      return <Button onClick={onRejoin}>{t('lessonEnd.ask')}</Button>
    case 'retry':
      return <Button onClick={onBack}>{t('problem.again')}</Button>
    case 'back':
      return (
        <Button secondary onClick={canStart ? onRejoin : onBack}>
          {canStart ? t('lessonEnd.again') : t('lessonEnd.back', moderator)}
        </Button>
      )
    case 'reload':
      return <Button onClick={() => location.reload()}>{t('callEnded.reload')}</Button>
    default:
      return null
  }
}
