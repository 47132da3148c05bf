import { useMemo, useState } from 'react'
import { useConnection } from '../../account-connection/use-connection.ts'
import { GroupKeys } from '../../chat/message-groups.ts'
import type { Outbox } from '../../chat/outbox.ts'
import { ReadPosition } from '../../chat/read-position.ts'
import { MessageWindow, type WindowRow } from '../../chat/window/MessageWindow.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { serverTime } from '../../time/server-time.ts'
import { useToday } from '../../time/use-today.ts'
import { Button } from '../../ui/Button.tsx'
import { useValue } from '../../use-value.ts'
import { failureText, refusalText } from '../contacts/failure-text.ts'
import { type LogItem, logItems, withStableKeys } from '../messaging/log-items.ts'
import type { MessageHistory, MessagesState } from '../messaging/message-history.ts'
import { formatDay, formatTime } from '../messaging/times.ts'
import { useMessaging } from '../messaging/use-messaging.ts'
import styles from './Log.module.css'

interface Props {
  chatId: string
  messages: MessageHistory
  outbox: Outbox
  /** The position of the line above the new messages; null: there is none. */
  readUpTo: string | null
  /** The position that the server knows. */
  knownReadUpTo: string | null
  unread: number
  mayAttach: boolean
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
  const { chatId, messages, outbox, readUpTo, knownReadUpTo, unread, mayAttach, state } = props
  const { loadOlder, loadNewer, toNewest } = messages
  const { t, locale } = useTexts()
  const connection = useConnection()
  const pending = useValue(outbox)
  const [position] = useState(() => new ReadPosition(connection, chatId, knownReadUpTo))
  const { files: filesOf, attachments } = useMessaging()
  const [files] = useState(() => filesOf(chatId))
  const target = { kind: 'chat', id: chatId } as const
  const [keys] = useState(() => new GroupKeys())
  const items = useMemo(
    () => withStableKeys(logItems(state.messages, { ownUserId: connection.userId, readUpTo }), keys),
    [state.messages, connection.userId, readUpTo, keys],
  )
  const rows = items.map(
    (item): WindowRow => (item.is === 'group' ? item : { key: item.key, line: <Line item={item} /> }),
  )
  return (
    <MessageWindow
      rows={rows}
      range={{ hasNewer: state.hasNewer, loadOlder, loadNewer, toNewest }}
      top={state.hasOlder && t('chat.loading')}
      empty={t('conversations.empty')}
      pending={pending}
      outbox={outbox}
      reasonOf={code => refusalText(t, code)}
      editor={{
        edit: (message_id, text) => connection.command('message.edit', target, { message_id, text }),
        remove: message_id => connection.command('message.delete', target, { message_id }),
        describe: error => failureText(t, error),
      }}
      files={files}
      onFiles={mayAttach ? attachments(chatId).add : undefined}
      unread={unread}
      onVisible={position.markRead}
      formatTime={at => formatTime(at, locale)}
    />
  )
}

function Line({ item }: { item: Exclude<LogItem, { is: 'group' }> }) {
  const { t, locale } = useTexts()
  useToday()
  return item.is === 'day' ? (
    <p className={styles.day}>{formatDay(item.at, serverTime(Date.now()), locale)}</p>
  ) : (
    <p className={styles.new} data-new>
      {t('conversations.newMessages')}
    </p>
  )
}
