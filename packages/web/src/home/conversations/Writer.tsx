import { MessageField } from '../../chat/MessageField.tsx'
import type { Outbox } from '../../chat/outbox.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { useMessaging } from '../messaging/use-messaging.ts'
import { EmojiPicker } from './EmojiPicker.tsx'
import type { useConversation } from './use-conversation.ts'
import styles from './Writer.module.css'

interface Props {
  chatId: string
  open: ReturnType<typeof useConversation>
  outbox: Outbox
}

/** Writes messages. The draft outlives the page. */
export function Writer({ chatId, open, outbox }: Props) {
  const { t } = useTexts()
  const { drafts, attachments: attachmentsOf } = useMessaging()
  const { kind, contact, mayAttach } = open
  const attachments = mayAttach ? attachmentsOf(chatId) : undefined
  const draft = useValue(drafts).get(chatId) ?? ''
  const send = (text: string) => {
    outbox.send(text, attachments?.take())
    drafts.write(chatId, '')
  }
  return (
    <>
      {kind === 'direct' && contact?.state !== 'contact' && (
        <p className={styles.note} role="status">
          {contact?.state === 'outgoing' ? t('conversations.requestSent') : t('conversations.requestFirst')}
        </p>
      )}
      <MessageField
        value={draft}
        onChange={text => drafts.write(chatId, text)}
        onSend={send}
        attachments={attachments}
        renderTools={insert => <EmojiPicker onPick={insert} />}
      />
    </>
  )
}
