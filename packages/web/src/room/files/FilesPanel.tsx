import { History } from 'lucide-react'
import { MessageFile } from '../../chat/files/MessageFile.tsx'
import { formatMessageTime } from '../../chat/message-time.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useServerTime } from '../../time/use-server-time.ts'
import { PanelButton } from '../../ui/PanelButton.tsx'
import { useValue } from '../../use-value.ts'
import type { Room } from '../room.ts'
import styles from './FilesPanel.module.css'
import { filesOf } from './files.ts'

/** The files of the chat, the newest first, as far as its messages are loaded. */
export function FilesPanel({ room: { call } }: { room: Room }) {
  const { t, locale } = useTexts()
  const chat = useValue(call.chat)
  const now = useServerTime()
  return (
    <div className={styles.body}>
      <ul className={styles.list} aria-label={t('roomFiles.title')}>
        {filesOf(chat.messages).map(({ file, message }) => (
          <li key={file.file_id} className={styles.item}>
            <MessageFile file={file} access={call.files} />
            <p className={styles.origin}>
              <bdi>{message.display_name || t('chat.nameless')}</bdi>
              {` · ${formatMessageTime(message.sent_at_ms, now, locale)}`}
            </p>
          </li>
        ))}
      </ul>
      {chat.hasOlder && (
        <PanelButton
          icon={History}
          label={chat.loadingOlder ? t('chat.loading') : t('roomFiles.older')}
          onClick={() => void call.chat.loadOlder()}
        />
      )}
    </div>
  )
}
