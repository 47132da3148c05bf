import { permissionsOf } from '../../call/own-permissions.ts'
import { useTexts } from '../../texts/use-texts.ts'
import type { JoinedState } from '../joined-state.ts'
import { useModeratorTerm } from '../moderator-term.ts'
import type { Room } from '../room.ts'
import styles from './ChatPanel.module.css'
import { Composer } from './Composer.tsx'
import { chatViewStateOf } from './chat-view-state.ts'
import { MessageLog } from './MessageLog.tsx'
import { TypingLine } from './TypingLine.tsx'

/** The chat of the session. Draft and unread count outlive the panel. */
export function ChatPanel({
  room: { call, features },
  joined: { me, session },
}: {
  room: Room
  joined: JoinedState
}) {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  const { chat: mayWrite, files } = permissionsOf(session, me)
  const mayAttach = features.files && mayWrite && files
  const readOnly = session.chat_mode === 'read_only'
  return (
    <>
      <MessageLog
        call={call}
        ownUserId={me.user_id}
        participants={session.participants}
        isModerator={me.role === 'moderator'}
        onFiles={mayAttach ? chatViewStateOf(call).attachments.add : undefined}
      />
      <TypingLine typing={call.typing} participants={session.participants} />
      <div className={styles.notice} role="status">
        {!mayWrite && <p>{readOnly ? t('chat.readOnly', moderator) : t('moderation.forbidden.chat')}</p>}
      </div>
      <Composer call={call} closed={!mayWrite} mayAttach={mayAttach} />
    </>
  )
}
