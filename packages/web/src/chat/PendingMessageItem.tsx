import type { TFunction } from 'i18next'
import { RotateCw, Trash2 } from 'lucide-react'
import { useTexts } from '../texts/use-texts.ts'
import { PanelButton } from '../ui/PanelButton.tsx'
import { MessageText } from './MessageText.tsx'
import type { Outbox, PendingMessage } from './outbox.ts'
import styles from './PendingMessageItem.module.css'

interface Props {
  message: PendingMessage
  outbox: Pick<Outbox, 'sendAgain' | 'discard'>
  /** Why the message failed, for codes that mean something in this chat; null: the general text. */
  reasonOf?: (code: string) => string | null
}

type Failed = Extract<PendingMessage['state'], { is: 'failed' }>

/** An own message that is pending or has failed. */
export function PendingMessageItem({ message: { key, text, file, state }, outbox, reasonOf }: Props) {
  const { t } = useTexts()
  const failed = state.is === 'failed'
  return (
    <div className={failed ? styles.failed : styles.sending}>
      {file && <MessageText text={file.name} />}
      {text !== '' && <MessageText text={text} />}
      {!failed && <p className={styles.state}>{t('chat.sending')}</p>}
      {failed && (
        <>
          <p className={styles.state} role="alert">
            {reasonOf?.(state.code) ?? failureText(t, state)}
          </p>
          <div className={styles.actions}>
            <PanelButton icon={RotateCw} label={t('chat.again')} onClick={() => outbox.sendAgain(key)} />
            <PanelButton icon={Trash2} label={t('chat.discard')} onClick={() => outbox.discard(key)} />
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
