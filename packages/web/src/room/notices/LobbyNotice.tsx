import { useTexts } from '../../texts/use-texts.ts'
import type { JoinedState } from '../joined-state.ts'
import { useAttempt } from '../panel/use-attempt.ts'
import { LobbyList } from '../people/LobbyList.tsx'
import type { Room } from '../room.ts'
import styles from './LobbyNotice.module.css'

/** Shows moderators who is in the lobby, while the participants panel, which also shows it, is closed. */
export function LobbyNotice({ room, joined: { me, session } }: { room: Room; joined: JoinedState }) {
  const { t } = useTexts()
  const { failed, attempt } = useAttempt()
  const isModerator = me.role === 'moderator'
  const [first] = session.lobby
  const name = first?.display_name || t('people.nameless')
  const others = session.lobby.length - 1
  return (
    <>
      <p className={styles.spoken} role="status">
        {isModerator &&
          first &&
          (others > 0 ? t('lobby.several', { name, others }) : t('lobby.one', { name }))}
      </p>
      {isModerator && first && (
        <div className={styles.notice}>
          <LobbyList
            lobby={session.lobby}
            participants={session.participants}
            actions={room.call.actions}
            attempt={attempt}
          />
          <p role="alert">{failed && t('people.notDone')}</p>
        </div>
      )}
    </>
  )
}
