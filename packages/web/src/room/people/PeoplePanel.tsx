import { MicOff, SlidersHorizontal } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import { PanelButton } from '../../ui/PanelButton.tsx'
import type { JoinedState } from '../joined-state.ts'
import { useModeratorTerm } from '../moderator-term.ts'
import { useAttempt } from '../panel/use-attempt.ts'
import type { Room } from '../room.ts'
import { HandList } from './HandList.tsx'
import { InviteButton } from './InviteButton.tsx'
import { LobbyList } from './LobbyList.tsx'
import styles from './PeoplePanel.module.css'
import { PersonItem } from './PersonItem.tsx'
import { listPeople } from './people.ts'
import { RemovedList } from './RemovedList.tsx'

/** The list of participants, with controls for moderators. */
export function PeoplePanel({ room, joined }: { room: Room; joined: JoinedState }) {
  const { me, session } = joined
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  const { call, dialogs, features } = room
  const { actions } = call
  const { failed, attempt } = useAttempt()
  const people = listPeople(session, me)
  const isModerator = me.role === 'moderator'
  const number = t('people.number', { number: people.length, ...moderator })
  return (
    <>
      <p className={styles.failed} role="alert">
        {failed && t('people.notDone')}
      </p>
      <div className={styles.body}>
        {isModerator && (
          <div className={styles.everybody}>
            <PanelButton
              icon={MicOff}
              label={t('people.muteAll')}
              onClick={() => attempt(() => actions.muteAll('audio'))}
            />
            <PanelButton
              icon={SlidersHorizontal}
              label={t('people.manage', moderator)}
              onClick={() => dialogs.show('class')}
            />
          </div>
        )}
        {isModerator && (
          <LobbyList
            lobby={session.lobby}
            participants={session.participants}
            actions={actions}
            attempt={attempt}
          />
        )}
        {/* Signed-in users may call others into the room. */}
        {features.mainNavigation && <InviteButton joined={joined} />}
        <HandList
          people={people}
          clock={room.clock}
          isModerator={isModerator}
          actions={actions}
          attempt={attempt}
        />
        <section className={styles.people} aria-label={number}>
          <h2 className={styles.title}>{number}</h2>
          <ul className={styles.list}>
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
        </section>
        {isModerator && (
          <RemovedList
            // Who asks to come back is above.
            removed={session.removed.filter(
              ({ user_id }) => !session.lobby.some(each => each.user_id === user_id),
            )}
            onReadmit={userId => attempt(() => actions.readmit(userId))}
          />
        )}
      </div>
    </>
  )
}
