import type { ParticipantView } from '@lectern/protocol/control/client'
import { ArrowDown, History } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import type { Call } from '../../call/call.ts'
import { MessageGroupItem } from '../../chat/MessageGroupItem.tsx'
import { GroupKeys, groupMessages, type MessageGroup, withOwnGroup } from '../../chat/message-groups.ts'
import { PendingMessageItem } from '../../chat/PendingMessageItem.tsx'
import { useMessageEditing } from '../../chat/use-message-editing.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { PanelButton } from '../../ui/PanelButton.tsx'
import { useFocusRetention } from '../../ui/use-focus-retention.ts'
import { useValue } from '../../use-value.ts'
import { useModeratorTerm } from '../moderator-term.ts'
import { isNamesake } from '../people/namesake.ts'
import { chatViewStateOf } from './chat-view-state.ts'
import styles from './MessageLog.module.css'
import type { Unread } from './unread.ts'
import { useScrollPosition } from './use-scroll-position.ts'

interface Props {
  call: Call
  ownUserId: string
  participants: readonly ParticipantView[]
}

/** The messages of the chat, delivered and pending. */
export function MessageLog({ call, ownUserId, participants }: Props) {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  const { chat } = call
  const { messages, pending, hasOlder, loadingOlder } = useValue(chat)
  const { unread } = chatViewStateOf(call)
  const waiting = useValue(unread)
  const scroll = useScrollPosition({ first: messages[0]?.message_id, sending: pending.length })
  useMarkRead(unread, scroll.atEnd, messages)
  useFocusRetention(scroll.log)
  const { edit, remove, isEditable } = chat
  const editing = useMessageEditing({ edit, remove, describe: () => t('chat.notDone') })
  const reasonOf = (code: string) => (code === 'read_only' ? t('chat.failedReadOnly', moderator) : null)
  const [keys] = useState(() => new GroupKeys())
  const groups = useMemo(() => keys.assign(groupMessages(messages, ownUserId)), [keys, messages, ownUserId])
  const noteOf = ({ own, messages: [first] }: MessageGroup) =>
    first && !own && isNamesake(first, participants) ? t('people.namesake', moderator) : undefined
  const shown = pending.length > 0 ? withOwnGroup(groups, Date.now()) : groups

  return (
    <div className={styles.frame}>
      <section
        ref={scroll.log}
        className={styles.log}
        onScroll={scroll.onScroll}
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
        {messages.length + pending.length === 0 && <p className={styles.empty}>{t('chat.empty')}</p>}
        <ol className={styles.groups}>
          {shown.map(group => (
            <MessageGroupItem
              key={group.key}
              group={group}
              note={noteOf(group)}
              {...(isEditable &&
                group.own && {
                  renderActions: editing.renderActions,
                  renderInstead: editing.renderForm,
                })}
            >
              {group === shown.at(-1) &&
                pending.map(each => (
                  <PendingMessageItem key={each.key} message={each} outbox={chat} reasonOf={reasonOf} />
                ))}
            </MessageGroupItem>
          ))}
        </ol>
      </section>
      {isEditable && editing.dialog}
      {!scroll.atEnd && waiting > 0 && (
        <div className={styles.pill}>
          <PanelButton
            icon={ArrowDown}
            label={t('chat.new', { count: waiting })}
            onClick={() => {
              scroll.toEnd()
              scroll.log.current?.focus({ preventScroll: true })
            }}
          />
        </div>
      )}
    </div>
  )
}

/** Messages count as read when the end of the log is visible and the page is in the foreground. */
function useMarkRead(unread: Unread, atEnd: boolean, messages: readonly unknown[]): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: new messages are read as they come.
  useEffect(() => {
    const read = () => {
      if (atEnd && !document.hidden) unread.markRead()
    }
    read()
    document.addEventListener('visibilitychange', read)
    return () => document.removeEventListener('visibilitychange', read)
  }, [unread, atEnd, messages])
}
