import { useAccountView } from '../../account-connection/use-connection.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Overview } from '../overview/Overview.tsx'
import { PageMain } from '../shell/PageFrame.tsx'
import { usePhone } from '../shell/use-phone.ts'
import styles from './ConversationsPage.module.css'
import { ListPane } from './ListPane.tsx'
import { OpenConversation } from './OpenConversation.tsx'
import { useConversation } from './use-conversation.ts'

/** The list of conversations and the open one side by side; on phones one of them. */
export function ConversationsPage({ parts: [chatId] }: { parts: readonly string[] }) {
  const { t } = useTexts()
  const isPhone = usePhone()
  const view = useAccountView()
  const { title } = useConversation(chatId)
  const showsList = !isPhone || chatId === undefined
  return (
    <PageMain
      title={chatId === undefined ? t('home.pages.conversations') : title}
      titleId={chatId === undefined || !isPhone ? 'list-title' : 'conversation-title'}
    >
      <div className={styles.panes}>
        {showsList && <ListPane openChatId={chatId} />}
        {chatId !== undefined && view && <OpenConversation key={chatId} chatId={chatId} />}
        {chatId === undefined && !isPhone && <Overview />}
      </div>
    </PageMain>
  )
}
