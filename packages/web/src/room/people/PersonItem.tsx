import type { SessionView } from '@lectern/control-client'
import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { PanelButton } from '../../ui/PanelButton.tsx'
import { useValue } from '../../use-value.ts'
import { useModeratorTerm } from '../moderator-term.ts'
import type { Room } from '../room.ts'
import { ModeratorActions } from './ModeratorActions.tsx'
import { OwnActions } from './OwnActions.tsx'
import styles from './PersonItem.module.css'
import { PersonOptions } from './PersonOptions.tsx'
import type { Person } from './people.ts'
import { qualityOf } from './quality.ts'
import { RenameForm } from './RenameForm.tsx'
import { StatusIcons } from './StatusIcons.tsx'

interface Props {
  person: Person
  room: Room
  /** Whether this user is a moderator. */
  isModerator: boolean
  session: SessionView
  attempt: (act: () => Promise<unknown>) => void
}

export function PersonItem({ person, room, isModerator, session, attempt }: Props) {
  const { t } = useTexts()
  const { actions, qualities } = room.call
  const moderator = useModeratorTerm()
  const quality = qualityOf(person, useValue(qualities))
  const [renaming, setRenaming] = useState(false)
  const [areOptionsOpen, setOptionsOpen] = useState(false)
  const name = person.name || t('people.nameless')

  return (
    <li className={styles.person}>
      <div className={styles.line}>
        <div className={styles.identity}>
          <p className={styles.name}>
            <bdi>{person.isMe ? t('room.you', { name }) : name}</bdi>
          </p>
          {person.isModerator && <p className={styles.role}>{t('people.moderator', moderator)}</p>}
          {person.isNamesake && !person.isMe && (
            <p className={styles.namesake}>{t('people.namesake', moderator)}</p>
          )}
          <StatusIcons
            person={person}
            quality={quality}
            isSpotlit={session.spotlight_user_id === person.userId}
          />
        </div>
        <div className={styles.actions}>
          {person.isMe && (
            <OwnActions
              handIsUp={person.devices.some(each => each.isThis && each.handRaisedAt !== null)}
              raiseHand={actions.raiseHand}
              onRename={() => setRenaming(true)}
              attempt={attempt}
            />
          )}
          {isModerator && (
            <ModeratorActions person={person} name={name} actions={actions} attempt={attempt} />
          )}
          {(isModerator || !person.isMe) && (
            <PanelButton
              icon={SlidersHorizontal}
              label={t('moderation.options', { name })}
              isOpen={areOptionsOpen}
              onClick={() => setOptionsOpen(!areOptionsOpen)}
              iconOnly
            />
          )}
        </div>
      </div>
      {areOptionsOpen && (
        <PersonOptions
          person={person}
          name={name}
          session={session}
          volumes={room.volumes}
          isModerator={isModerator}
          actions={actions}
          attempt={attempt}
        />
      )}
      {renaming && (
        <RenameForm
          name={person.name}
          onRename={chosen => attempt(() => actions.rename(chosen))}
          onClose={() => setRenaming(false)}
        />
      )}
    </li>
  )
}
