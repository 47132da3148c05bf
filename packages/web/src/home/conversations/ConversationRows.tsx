import { containsText } from '@lectern/common'
import type { Contact, Conversation } from '@lectern/protocol/control/client'
import { BellOff, Users } from 'lucide-react'
import { memo } from 'react'
import { useAccountView } from '../../account-connection/use-connection.ts'
import { homePath } from '../../address.ts'
import { Link } from '../../site/Link.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { serverTime } from '../../time/server-time.ts'
import { useToday } from '../../time/use-today.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { VirtualList } from '../../ui/VirtualList.tsx'
import { useValue } from '../../use-value.ts'
import { PresenceDot } from '../contacts/PresenceDot.tsx'
import { formatListTime } from '../messaging/times.ts'
import { useMessaging, useNames } from '../messaging/use-messaging.ts'
import styles from './ConversationRows.module.css'

interface Props {
  conversations: readonly Conversation[]
  /** Shows conversations whose title contains it. */
  query: string
  /** Whether the server has more of them. */
  hasMore: boolean
  openChatId: string | undefined
  /** Persons whose conversations are shown elsewhere. */
  hidden: readonly Contact[]
}

const ROW_REM = 4.375

export function ConversationRows({ conversations, query, hasMore, openChatId, hidden }: Props) {
  const { t, locale } = useTexts()
  const names = useNames()
  useToday()
  const drafts = useValue(useMessaging().drafts)
  const contacts = new Map(useAccountView()?.contacts.map(each => [each.user_id, each]))
  const hiddenIds = new Set(hidden.map(each => each.user_id))
  const rows = conversations
    .map(conversation => {
      const contact = contacts.get(conversation.user_id ?? '')
      return { conversation, contact, title: names.conversation(conversation, contact) }
    })
    .filter(({ conversation, contact, title }) =>
      query === ''
        ? !hiddenIds.has(conversation.user_id ?? '')
        : containsText([title, contact?.login ?? ''], query),
    )
  if (query !== '' && rows.length === 0) return <p className={styles.none}>{t('conversations.notFound')}</p>
  return (
    <VirtualList
      label={t('home.pages.conversations')}
      items={rows}
      keyOf={keyOf}
      rowRem={ROW_REM}
      total={hasMore ? null : rows.length}
    >
      {({ conversation, contact, title }) => (
        <Row
          conversation={conversation}
          contact={contact}
          title={title}
          time={timeOf(conversation, locale)}
          draft={conversation.chat_id === openChatId ? undefined : drafts.get(conversation.chat_id)}
          isOpen={conversation.chat_id === openChatId}
        />
      )}
    </VirtualList>
  )
}

/** Null where retention has left no message. */
const timeOf = ({ activity_at_ms }: Conversation, locale: string): string | null =>
  activity_at_ms > 0 ? formatListTime(activity_at_ms, serverTime(Date.now()), locale) : null

const keyOf = ({ conversation }: { conversation: Conversation }) => conversation.chat_id

interface RowProps {
  conversation: Conversation
  contact: Contact | undefined
  title: string
  time: string | null
  draft: string | undefined
  isOpen: boolean
}

const Row = memo(({ conversation, contact, title, time, draft, isOpen }: RowProps) => {
  const { t } = useTexts()
  const { chat_id, kind, user_id, unread, muted, activity_at_ms } = conversation
  return (
    <Link
      href={homePath('conversations', chat_id)}
      className={styles.row}
      aria-current={isOpen ? 'true' : undefined}
    >
      <Avatar name={title} id={user_id ?? chat_id} {...(kind === 'conference' && { icon: Users })} />
      <span className={styles.title}>
        <bdi className={styles.name} title={title}>
          {title}
        </bdi>
        {contact?.state === 'contact' && <PresenceDot contact={contact} />}
        {muted && (
          <span className={styles.muted} title={t('conversations.muted')}>
            <BellOff aria-hidden="true" />
            <span className="visually-hidden">{t('conversations.muted')}</span>
          </span>
        )}
      </span>
      {time !== null && (
        <time className={styles.time} dateTime={new Date(activity_at_ms).toISOString()}>
          {time}
        </time>
      )}
      <span className={styles.preview} dir="auto">
        {draft ? (
          <>
            <bdi className={styles.draft}>{t('conversations.draft')}</bdi> {draft}
          </>
        ) : (
          <Preview conversation={conversation} />
        )}
      </span>
      {unread > 0 && (
        <span className={muted ? styles.unreadMuted : styles.unread}>
          <span aria-hidden="true">{unread > 99 ? '99+' : unread}</span>
          <span className="visually-hidden">{t('conversations.unread', { count: unread })}</span>
        </span>
      )}
    </Link>
  )
})

/** Has the direction of its message, so that the beginning is visible; the content of a `bdi` does not decide it. */
function Preview({ conversation: { last_message, kind, user_id } }: { conversation: Conversation }) {
  const { t } = useTexts()
  if (!last_message) return t('chat.empty')
  const text = last_message.deleted ? t('chat.deleted') : last_message.text || (last_message.file?.name ?? '')
  const isOther = kind === 'direct' && last_message.user_id === user_id
  if (isOther) return text
  return <LastOf name={last_message.display_name} userId={last_message.user_id} text={text} />
}

/** The sender is named where it is not obvious. */
function LastOf({ name, userId, text }: { name: string; userId: string; text: string }) {
  const { t } = useTexts()
  const view = useAccountView()
  const sender = userId === view?.user_id ? t('chat.you') : name || t('chat.nameless')
  return (
    <>
      <bdi>{sender}</bdi>: {text}
    </>
  )
}
