import type { ReactNode } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import styles from './MessageGroupItem.module.css'
import { MessageText } from '../../chat/MessageText.tsx'
import type { MessageGroup } from './message-groups.ts'
import { formatMessageTime } from '../../chat/message-time.ts'

interface Props {
  group: MessageGroup
  /** Appended to the group. */
  children?: ReactNode
}

/** Consecutive messages of one sender, under one name. */
export function MessageGroupItem({ group: { name, own, at, messages }, children }: Props) {
  const { t, locale } = useTexts()
  return (
    <li className={own ? styles.own : styles.group}>
      <p className={styles.head}>
        <bdi className={styles.name}>{own ? t('chat.you') : name || t('chat.nameless')}</bdi>
        <time className={styles.time} dateTime={new Date(at).toISOString()}>
          {formatMessageTime(at, Date.now(), locale)}
        </time>
      </p>
      {messages.map(({ message_id, text }) => (
        <MessageText key={message_id} text={text} />
      ))}
      {children}
    </li>
  )
}
