import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { Panel } from '../panel/Panel.tsx'
import { useAttempt } from '../panel/use-attempt.ts'
import type { Room } from '../room.ts'
import { InviteButton } from './InviteButton.tsx'
import { LobbyList } from './LobbyList.tsx'
import styles from './PeoplePanel.module.css'
import { PersonItem } from './PersonItem.tsx'
import { listPeople } from './people.ts'
import { RemovedList } from './RemovedList.tsx'
import { RoomControls } from './RoomControls.tsx'

/** The list of participants, with controls for moderators. */
export function PeoplePanel({ room }: { room: Room }) {
  const { t } = useTexts()
  const { call, features, panels } = room
  const state = useValue(call)
  const { failed, attempt } = useAttempt()
  if (state.is !== 'joined') return null
  const { me, session } = state
  const people = listPeople(session, me)
  const isModerator = me.role === 'moderator'
  return (
    <Panel title={t('people.title')} closeLabel={t('people.close')} onClose={panels.close}>
      <p className={styles.failed} role="alert">
        {failed && t('people.notDone')}
      </p>
      <div className={styles.body}>
        {isModerator && <RoomControls actions={call.actions} session={session} attempt={attempt} />}
        {isModerator && (
          <LobbyList
            lobby={session.lobby}
            participants={session.participants}
            actions={call.actions}
            attempt={attempt}
          />
        )}
        {/* Signed-in users may call others into the room. */}
        {features.mainNavigation && <InviteButton people={people} />}
        <p className={styles.number}>{t('people.number', { number: people.length })}</p>
        <ul className={styles.people}>
          {people.map(person => (
            <PersonItem
              key={person.userId}
              person={person}
              room={room}
              isModerator={isModerator}
              session={session}
              attempt={attempt}
            />
          ))}
        </ul>
        {isModerator && (
          <RemovedList
            removed={session.removed}
            onReadmit={userId => attempt(() => call.actions.readmit(userId))}
          />
        )}
      </div>
    </Panel>
  )
}
