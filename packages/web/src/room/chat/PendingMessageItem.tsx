import type { TFunction } from 'i18next'
import { RotateCw, Trash2 } from 'lucide-react'
import type { Chat, PendingMessage } from '../../call/chat.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useModeratorTerm } from '../moderator-term.ts'
import { PanelButton } from '../panel/PanelButton.tsx'
import { MessageText } from '../../chat/MessageText.tsx'
import styles from './PendingMessageItem.module.css'

interface Props {
  message: PendingMessage
  chat: Pick<Chat, 'sendAgain' | 'discard'>
}

type Failed = Extract<PendingMessage['state'], { is: 'failed' }>

/** An own message that is pending or has failed. */
export function PendingMessageItem({ message: { key, text, state }, chat }: Props) {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  const failed = state.is === 'failed'
  return (
    <div className={failed ? styles.failed : styles.sending}>
      <MessageText text={text} />
      {!failed && <p className={styles.state}>{t('chat.sending')}</p>}
      {failed && (
        <>
          <p className={styles.state} role="alert">
            {state.code === 'read_only' ? t('chat.failedReadOnly', moderator) : failureText(t, state)}
          </p>
          <div className={styles.actions}>
            <PanelButton icon={RotateCw} label={t('chat.again')} onClick={() => chat.sendAgain(key)} />
            <PanelButton icon={Trash2} label={t('chat.discard')} onClick={() => chat.discard(key)} />
          </div>
        </>
      )}
    </div>
  )
}

function failureText(t: TFunction, { code, retryAfterMs }: Failed): string {
  if (retryAfterMs === undefined) return t('chat.failed')
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return code === 'chat_busy' ? t('chat.failedBusy', { seconds }) : t('chat.failedTooFast', { seconds })
}
