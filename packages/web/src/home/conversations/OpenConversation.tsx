import { useState } from 'react'
import { homePath } from '../../address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { useMessaging } from '../messaging/use-messaging.ts'
import { PageHeader } from '../shell/PageHeader.tsx'
import { usePhone } from '../shell/use-phone.ts'
import styles from './ConversationPane.module.css'
import { ConversationPane } from './ConversationPane.tsx'
import { useConversation } from './use-conversation.ts'

/** The conversation of the address, as soon as it is known how far the user has read it. */
export function OpenConversation({ chatId }: { chatId: string }) {
  const { t } = useTexts()
  const { conversation, title } = useConversation(chatId)
  const { conversations, hasMore, hasFailed } = useValue(useMessaging().list)
  const isPhone = usePhone()
  const [isShown, setShown] = useState(false)
  // After missed events an old conversation is unknown again; what is shown stays.
  const isKnown = conversations !== null && (conversation !== undefined || !hasMore || hasFailed)
  if (isKnown && !isShown) setShown(true)
  if (isKnown || isShown) return <ConversationPane chatId={chatId} />
  return (
    <section className={styles.pane} aria-labelledby="conversation-title">
      <PageHeader
        title={title}
        titleId="conversation-title"
        isPart={!isPhone}
        back={isPhone ? homePath('conversations') : undefined}
      />
      <p className={styles.loading} role="status">
        {t('chat.loading')}
      </p>
    </section>
  )
}
