import type { ChatMessage } from '@lectern/protocol/control/client'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/use-texts.ts'
import { serverTime } from '../time/server-time.ts'
import type { FileAccess } from '../uploads/files.ts'
import { MessageFile } from './files/MessageFile.tsx'
import styles from './MessageGroupItem.module.css'
import { MessageText } from './MessageText.tsx'
import type { MessageGroup } from './message-groups.ts'
import { formatMessageTime } from './message-time.ts'

interface Props {
  group: MessageGroup
  /** Beside the name. */
  note?: string | undefined
  /** The time of the group; absent: with its date, unless it is today. */
  formatTime?: ((at: number) => string) | undefined
  files: FileAccess
  /** The actions on a message. */
  renderActions?: (message: ChatMessage) => ReactNode
  /** Shown in place of the message, such as a form that edits it; null: the message. */
  renderInstead?: (message: ChatMessage) => ReactNode
  /** Appended to the group. */
  children?: ReactNode
}

/** Consecutive messages of one sender, under one name. */
export function MessageGroupItem(props: Props) {
  const { group, note, formatTime, files, renderActions, renderInstead, children } = props
  const { t, locale } = useTexts()
  const { name, own, at, messages } = group
  const format = formatTime ?? (time => formatMessageTime(time, serverTime(Date.now()), locale))
  return (
    <li className={own ? styles.own : styles.group}>
      <p className={styles.head}>
        <bdi className={styles.name}>{own ? t('chat.you') : name || t('chat.nameless')}</bdi>
        {note && <span className={styles.note}>{note}</span>}
        <time className={styles.time} dateTime={new Date(at).toISOString()}>
          {format(at)}
        </time>
      </p>
      {messages.map(message => (
        <div key={message.message_id} className={styles.message} data-message={message.message_id}>
          {renderInstead?.(message) ?? (
            <>
              <Content message={message} files={files} />
              {!message.deleted && renderActions?.(message)}
            </>
          )}
        </div>
      ))}
      {children}
    </li>
  )
}

function Content({ message, files }: { message: ChatMessage; files: FileAccess }) {
  const { file, ...rest } = message
  if (!file || message.deleted) return <Text message={rest} />
  return (
    <div className={styles.withFile}>
      <MessageFile file={file} access={files} />
      {message.text !== '' && <Text message={rest} />}
    </div>
  )
}

function Text({ message: { text, deleted, edited_at_ms } }: { message: Omit<ChatMessage, 'file'> }) {
  const { t } = useTexts()
  if (deleted) return <p className={styles.deleted}>{t('chat.deleted')}</p>
  if (edited_at_ms === null) return <MessageText text={text} />
  return (
    <div className={styles.edited}>
      <MessageText text={text} />
      <span className={styles.time}>{t('chat.edited')}</span>
    </div>
  )
}
