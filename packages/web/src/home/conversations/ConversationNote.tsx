import { useTexts } from '../../texts/use-texts.ts'
import { PresenceDot } from '../contacts/PresenceDot.tsx'
import styles from './ConversationNote.module.css'
import type { useConversation } from './use-conversation.ts'

/** Below the title: the presence of a contact, or what kind of conversation it is. */
export function ConversationNote({ open }: { open: ReturnType<typeof useConversation> }) {
  const { t } = useTexts()
  const { kind, contact, conversation } = open
  if (kind === 'conference') {
    const note = conversation?.is_request ? t('conversations.invitation') : t('conversations.meeting')
    return <p className={styles.note}>{note}</p>
  }
  if (contact?.state === 'contact') return <PresenceDot contact={contact} showsText />
  if (contact?.state === 'blocked') return <p className={styles.note}>{t('contacts.blocked')}</p>
  if (contact?.state === 'incoming') return <p className={styles.note}>{t('contacts.incoming')}</p>
  if (contact?.state === 'outgoing') return <p className={styles.note}>{t('contacts.outgoing')}</p>
  return <p className={styles.note}>{t('conversations.notContact')}</p>
}
