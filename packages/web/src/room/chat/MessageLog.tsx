import { ArrowDown, History } from 'lucide-react'
import { useEffect } from 'react'
import type { Call } from '../../call/call.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { PanelButton } from '../panel/PanelButton.tsx'
import { useHeldFocus } from '../panel/use-held-focus.ts'
import { deskOf } from './desk.ts'
import styles from './MessageLog.module.css'
import { OutboundMessage } from './OutboundMessage.tsx'
import { TurnItem } from './TurnItem.tsx'
import { endWithOwn, makeTurns } from './turns.ts'
import type { Unread } from './unread.ts'
import { usePlace } from './use-place.ts'

/** What was said, and what is on its way. */
export function MessageLog({ call, ownUserId }: { call: Call; ownUserId: string }) {
  const { t } = useTexts()
  const { chat } = call
  const { messages, outbound, hasOlder, loadingOlder } = useValue(chat)
  const { unread } = deskOf(call)
  const waiting = useValue(unread)
  const place = usePlace({ first: messages[0]?.message_id, sending: outbound.length })
  useReading(unread, place.atEnd, messages)
  useHeldFocus(place.log)
  const turns = makeTurns(messages, ownUserId)
  const shown = outbound.length > 0 ? endWithOwn(turns, Date.now()) : turns

  return (
    <div className={styles.frame}>
      <section
        ref={place.log}
        className={styles.log}
        onScroll={place.onScroll}
        aria-label={t('chat.messages')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what has the focus.
        tabIndex={0}
      >
        {hasOlder && (
          <div className={styles.older}>
            <PanelButton
              icon={History}
              label={loadingOlder ? t('chat.loading') : t('chat.older')}
              onClick={() => void chat.loadOlder()}
            />
          </div>
        )}
        {messages.length + outbound.length === 0 && <p className={styles.empty}>{t('chat.empty')}</p>}
        <ol className={styles.turns}>
          {shown.map(turn => (
            <TurnItem key={turn.key} turn={turn}>
              {turn === shown.at(-1) &&
                outbound.map(each => <OutboundMessage key={each.key} message={each} chat={chat} />)}
            </TurnItem>
          ))}
        </ol>
      </section>
      {!place.atEnd && waiting > 0 && (
        <div className={styles.pill}>
          <PanelButton
            icon={ArrowDown}
            label={t('chat.new', { number: waiting })}
            onClick={() => {
              place.toEnd()
              place.log.current?.focus({ preventScroll: true })
            }}
          />
        </div>
      )}
    </div>
  )
}

/** Whoever looks at the end has read everything; a page in the background is not looked at. */
function useReading(unread: Unread, atEnd: boolean, messages: readonly unknown[]): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: new messages are read as they come.
  useEffect(() => {
    const read = () => {
      if (atEnd && !document.hidden) unread.read()
    }
    read()
    document.addEventListener('visibilitychange', read)
    return () => document.removeEventListener('visibilitychange', read)
  }, [unread, atEnd, messages])
}
