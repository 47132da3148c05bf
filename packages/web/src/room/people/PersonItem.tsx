import type { SessionView } from '@lectern/control-client'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useValue } from '../../use-value.ts'
import { useModeratorTerm } from '../moderator-term.ts'
import type { Room } from '../room.ts'
import styles from './PersonItem.module.css'
import { PersonMenu } from './PersonMenu.tsx'
import type { Person } from './people.ts'
import { weakQualityOf } from './quality.ts'
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
  const { actions, board, qualities } = room.call
  const moderator = useModeratorTerm()
  const quality = weakQualityOf(person, useValue(qualities))
  const [isRenaming, setRenaming] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const name = person.name || t('people.nameless')
  const role = person.isModerator ? t('people.moderator', moderator) : t('people.participant', moderator)

  return (
    <li>
      <div className={styles.person}>
        <Avatar name={name} id={person.userId} />
        <div className={styles.identity}>
          <p className={styles.name}>
            <bdi>{person.isMe ? t('room.you', { name }) : name}</bdi>
          </p>
          {person.isNamesake && !person.isMe ? (
            <p className={styles.namesake}>{t('people.namesake', moderator)}</p>
          ) : (
            <p className={styles.role}>{role}</p>
          )}
        </div>
        <StatusIcons
          person={person}
          quality={quality}
          isSpotlit={session.spotlight_user_id === person.userId}
        />
        <PersonMenu
          person={person}
          name={name}
          session={session}
          volumes={room.volumes}
          isModerator={isModerator}
          actions={actions}
          board={board}
          attempt={attempt}
          onRename={() => setRenaming(true)}
          onRemove={() => setRemoving(true)}
        />
      </div>
      {isRenaming && (
        <RenameForm
          name={person.name}
          onRename={chosen => attempt(() => actions.rename(chosen))}
          onClose={() => setRenaming(false)}
        />
      )}
      {isRemoving && (
        <ConfirmDialog
          question={t('people.removeConfirm', { name, ...moderator })}
          verb={t('people.removeVerb')}
          cancel={t('room.cancel')}
          danger
          // Removing one device removes the person with all devices.
          onConfirm={() => attempt(() => actions.remove(person.devices[0]?.id ?? ''))}
          onClose={() => setRemoving(false)}
        />
      )}
    </li>
  )
}
