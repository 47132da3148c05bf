import type { Call } from '../../call/call.ts'
import { permissionsOf } from '../../call/own-permissions.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { useModeratorTerm } from '../moderator-term.ts'
import { Panel } from '../panel/Panel.tsx'
import styles from './ChatPanel.module.css'
import { Composer } from './Composer.tsx'
import { MessageLog } from './MessageLog.tsx'
import { ModeSwitch } from './ModeSwitch.tsx'
import { TypingLine } from './TypingLine.tsx'

/** The chat of the session. Draft and unread count outlive the panel. */
export function ChatPanel({ call, onClose }: { call: Call; onClose: () => void }) {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  const state = useValue(call)
  if (state.is !== 'joined') return null
  const { me, session } = state
  const isModerator = me.role === 'moderator'
  const mayWrite = permissionsOf(session, me).chat
  const readOnly = session.chat_mode === 'read_only'
  return (
    <Panel title={t('chat.title')} closeLabel={t('chat.close')} onClose={onClose}>
      {isModerator && <ModeSwitch readOnly={readOnly} setMode={call.actions.setChatMode} />}
      <MessageLog call={call} ownUserId={me.user_id} participants={session.participants} />
      <TypingLine typing={call.typing} participants={session.participants} />
      <div className={styles.notice} role="status">
        {!mayWrite && <p>{readOnly ? t('chat.readOnly', moderator) : t('moderation.forbidden.chat')}</p>}
      </div>
      <Composer call={call} closed={!mayWrite} />
    </Panel>
  )
}
