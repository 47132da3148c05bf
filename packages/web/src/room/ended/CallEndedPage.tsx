import { useEffect, useRef } from 'react'
import type { CallEndReason } from '../../call/end-reasons.ts'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Message } from '../../ui/Message.tsx'
import { Page } from '../../ui/Page.tsx'
import { useModeratorTerm } from '../moderator-term.ts'
import styles from './CallEndedPage.module.css'
import { endActions } from './end-actions.ts'
import { icons } from './icons.ts'

interface Props {
  reason: CallEndReason
  /** Back to the prejoin screen. */
  onJoinAgain: () => void
  /** Rooms with a main menu link to the start page. */
  hasNavigation: boolean
}

/** Why the call has ended or was refused, and what the user can do. */
export function CallEndedPage({ reason, onJoinAgain, hasNavigation }: Props) {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  const { go } = useSite()
  const message = useRef<HTMLDivElement>(null)
  const title = t(`callEnded.${reason}.title`)
  const offer = endActions[reason]

  // The focused element was removed with the room; focusing the message also announces it.
  useEffect(() => message.current?.focus(), [])

  return (
    <Page title={title} status={title}>
      <div ref={message} className={styles.message} tabIndex={-1}>
        <Message icon={icons[reason]} title={title} text={t(`callEnded.${reason}.text`, moderator)}>
          {offer === 'join' && <Button onClick={onJoinAgain}>{t('callEnded.again')}</Button>}
          {offer === 'reload' && <Button onClick={() => location.reload()}>{t('callEnded.reload')}</Button>}
          {hasNavigation && (
            <Button secondary onClick={() => go('/')}>
              {t('menu.start')}
            </Button>
          )}
        </Message>
      </div>
    </Page>
  )
}
