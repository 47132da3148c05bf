import { ArrowDown } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useConnection } from '../../account-connection/use-connection.ts'
import { MessageGroupItem } from '../../chat/MessageGroupItem.tsx'
import { GroupKeys, withOwnGroup } from '../../chat/message-groups.ts'
import type { Outbox } from '../../chat/outbox.ts'
import { PendingMessageItem } from '../../chat/PendingMessageItem.tsx'
import { ReadPosition } from '../../chat/read-position.ts'
import { type MessageEditing, useMessageEditing } from '../../chat/use-message-editing.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { useFocusRetention } from '../../ui/use-focus-retention.ts'
import { useValue } from '../../use-value.ts'
import { failureText, refusalText } from '../contacts/failure-text.ts'
import { type LogItem, logItems, withStableKeys } from '../messaging/log-items.ts'
import type { MessagesState, MessageWindow } from '../messaging/message-window.ts'
import { formatDay, formatTime } from '../messaging/times.ts'
import styles from './Log.module.css'
import { useLogScroll } from './use-log-scroll.ts'

interface Props {
  chatId: string
  messages: MessageWindow
  outbox: Outbox
  /** Where the line above the new messages is; null: there is none. */
  readUpTo: string | null
  /** What the server knows. */
  knownReadUpTo: string | null
  unread: number
}

/** The messages of a conversation. */
export function Log(props: Props) {
  const { t } = useTexts()
  const { messages } = props
  const state = useValue(messages)
  switch (state.is) {
    case 'loading':
      return (
        <p className={styles.notice} role="status">
          {t('chat.loading')}
        </p>
      )
    case 'failed':
      return (
        <div className={styles.notice} role="alert">
          <p>{refusalText(t, state.code) ?? t('conversations.failed')}</p>
          <Button secondary onClick={() => void messages.retry()}>
            {t('problem.again')}
          </Button>
        </div>
      )
    case 'loaded':
      return <LoadedLog {...props} state={state} />
  }
}

type Loaded = Extract<MessagesState, { is: 'loaded' }>

function LoadedLog(props: Props & { state: Loaded }) {
  const { chatId, messages, outbox, readUpTo, knownReadUpTo, unread, state } = props
  const { t } = useTexts()
  const connection = useConnection()
  const pending = useValue(outbox)
  const [position] = useState(() => new ReadPosition(connection, chatId, knownReadUpTo))
  const scroll = useLogScroll({
    hasNewer: state.hasNewer,
    sending: pending.length,
    loadOlder: messages.loadOlder,
    loadNewer: messages.loadNewer,
    onVisible: position.markRead,
  })
  useFocusRetention(scroll.log)
  const target = { kind: 'chat', id: chatId } as const
  const editing = useMessageEditing({
    edit: (message_id, text) => connection.command('message.edit', target, { message_id, text }),
    remove: message_id => connection.command('message.delete', target, { message_id }),
    describe: error => failureText(t, error),
  })
  const [keys] = useState(() => new GroupKeys())
  const items = useMemo(
    () => withStableKeys(logItems(state.messages, { ownUserId: connection.userId, readUpTo }), keys),
    [state.messages, connection.userId, readUpTo, keys],
  )
  const shown = pending.length > 0 && !state.hasNewer ? withPending(items) : items
  const reasonOf = (code: string) => refusalText(t, code)
  const jump = async () => {
    await messages.toNewest()
    scroll.toEnd()
    scroll.log.current?.focus({ preventScroll: true })
  }

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
        {state.hasOlder && <p className={styles.older}>{t('chat.loading')}</p>}
        {shown.length === 0 && <p className={styles.empty}>{t('conversations.empty')}</p>}
        <ol className={styles.items}>
          {shown.map(item => (
            <LogEntry key={item.key} item={item} editing={editing}>
              {item === shown.at(-1) &&
                pending.map(each => (
                  <PendingMessageItem key={each.key} message={each} outbox={outbox} reasonOf={reasonOf} />
                ))}
            </LogEntry>
          ))}
        </ol>
      </section>
      {(!scroll.atEnd || state.hasNewer) && (
        <button type="button" className={styles.jump} onClick={() => void jump()}>
          <ArrowDown aria-hidden="true" />
          {unread > 0 ? t('chat.new', { count: unread }) : t('conversations.newest')}
        </button>
      )}
      {editing.dialog}
    </div>
  )
}

interface LogEntryProps {
  item: LogItem
  editing: MessageEditing
  children: ReactNode
}

function LogEntry({ item, editing, children }: LogEntryProps) {
  const { t, locale } = useTexts()
  switch (item.is) {
    case 'day':
      return (
        <li className={styles.day}>
          <span>{formatDay(item.at, Date.now(), locale)}</span>
        </li>
      )
    case 'new':
      return (
        <li className={styles.new} data-new>
          <span>{t('conversations.newMessages')}</span>
        </li>
      )
    case 'group':
      return (
        <MessageGroupItem
          group={item.group}
          formatTime={at => formatTime(at, locale)}
          {...(item.group.own && {
            renderActions: editing.renderActions,
            renderInstead: editing.renderForm,
          })}
        >
          {children}
        </MessageGroupItem>
      )
  }
}

/** Pending messages follow in an own group. */
function withPending(items: readonly LogItem[]): readonly LogItem[] {
  const last = items.at(-1)
  const groups = withOwnGroup(last?.is === 'group' ? [last.group] : [], Date.now())
  const own = groups.at(-1)
  return last?.is === 'group' && last.group === own
    ? items
    : own
      ? [...items, { is: 'group', key: own.key, group: own }]
      : items
}
