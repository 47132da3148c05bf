import { useEffect, useState } from 'react'
import { useConnection } from '../../account-connection/use-connection.ts'
import { homePath } from '../../address.ts'
import { useValue } from '../../use-value.ts'
import { MessageHistory } from '../messaging/message-history.ts'
import { useMessaging } from '../messaging/use-messaging.ts'
import { ConnectionBanner } from '../shell/ConnectionBanner.tsx'
import { PageHeader } from '../shell/PageHeader.tsx'
import { usePhone } from '../shell/use-phone.ts'
import { Answers } from './Answers.tsx'
import { ArrivalAnnouncer } from './ArrivalAnnouncer.tsx'
import { Arrivals } from './arrivals.ts'
import { ConversationActions } from './ConversationActions.tsx'
import { ConversationNote } from './ConversationNote.tsx'
import styles from './ConversationPane.module.css'
import { Log } from './Log.tsx'
import { useConversation } from './use-conversation.ts'
import { Writer } from './Writer.tsx'

/** An open conversation. */
export function ConversationPane({ chatId }: { chatId: string }) {
  const connection = useConnection()
  const open = useConversation(chatId)
  const { conversation, contact, mayAttach, title } = open
  const isPhone = usePhone()
  const outbox = useMessaging().outbox(chatId)
  const [arrivals] = useState(() => new Arrivals(connection.userId))
  // The position where the user stopped reading, when the conversation was opened.
  const [readUpTo] = useState(() =>
    conversation && conversation.unread > 0 ? (conversation.read_up_to ?? '0') : null,
  )
  const [messages] = useState(
    () =>
      new MessageHistory(connection, chatId, arrived => {
        outbox.onArrived(arrived)
        arrivals.add(arrived)
      }),
  )
  useEffect(() => {
    messages.open(readUpTo)
    return messages.close
  }, [messages, readUpTo])
  // A message that failed without a result may have been stored while another page was shown.
  const state = useValue(messages)
  useEffect(() => {
    if (state.is === 'loaded') outbox.onArrived(state.messages)
  }, [state, outbox])

  return (
    <section className={styles.pane} aria-labelledby="conversation-title">
      <PageHeader
        title={title}
        titleId="conversation-title"
        isPart={!isPhone}
        back={isPhone ? homePath('conversations') : undefined}
        note={<ConversationNote open={open} />}
      >
        <ConversationActions open={open} />
      </PageHeader>
      <ConnectionBanner />
      <Log
        chatId={chatId}
        messages={messages}
        outbox={outbox}
        readUpTo={readUpTo}
        knownReadUpTo={conversation?.read_up_to ?? null}
        unread={conversation?.unread ?? 0}
        mayAttach={mayAttach}
      />
      <ArrivalAnnouncer arrivals={arrivals} />
      {contact?.state === 'incoming' || contact?.state === 'blocked' ? (
        <Answers contact={contact} />
      ) : (
        <Writer chatId={chatId} open={open} outbox={outbox} />
      )}
    </section>
  )
}
