import type { ParticipantView, WaitingPerson } from '@lectern/protocol/control/client'
import { UserRoundCheck, UserRoundX, UsersRound } from 'lucide-react'
import type { Actions } from '../../call/actions.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { PanelButton } from '../../ui/PanelButton.tsx'
import { useModeratorTerm } from '../moderator-term.ts'
import styles from './LobbyList.module.css'
import { isNamesake } from './namesake.ts'

interface Props {
  lobby: readonly WaitingPerson[]
  participants: readonly ParticipantView[]
  actions: Pick<Actions, 'admit' | 'deny'>
  attempt: (act: () => Promise<unknown>) => void
}

/** For moderators: who waits for admission, longest first. */
export function LobbyList({ lobby, participants, actions, attempt }: Props) {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  if (lobby.length === 0) return null
  return (
    <section className={styles.lobby} aria-label={t('lobby.title')}>
      <div className={styles.head}>
        <p className={styles.title}>{t('lobby.waiting', { count: lobby.length })}</p>
        {lobby.length > 1 && (
          <PanelButton
            icon={UsersRound}
            label={t('lobby.admitAll')}
            onClick={() => attempt(() => actions.admit())}
          />
        )}
      </div>
      <ul className={styles.list}>
        {lobby.map(person => {
          const { user_id, display_name } = person
          const name = display_name || t('people.nameless')
          return (
            <li key={user_id} className={styles.person}>
              <span className={styles.name} title={name}>
                <bdi>{name}</bdi>
              </span>
              {isNamesake(person, participants) && (
                <span className={styles.namesake}>{t('people.namesake', moderator)}</span>
              )}
              <span className={styles.actions}>
                <PanelButton
                  icon={UserRoundCheck}
                  label={t('lobby.admitPerson', { name })}
                  text={t('lobby.admit')}
                  onClick={() => attempt(() => actions.admit(user_id))}
                  filled
                />
                <PanelButton
                  icon={UserRoundX}
                  label={t('lobby.denyPerson', { name })}
                  text={<span className={styles.deny}>{t('lobby.deny')}</span>}
                  onClick={() => attempt(() => actions.deny(user_id))}
                />
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
