import { PhoneOff, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '../texts/use-texts.ts'
import { PanelButton } from '../ui/PanelButton.tsx'
import { CallPeopleDialog } from './CallPeopleDialog.tsx'
import styles from './InviteToRoom.module.css'
import { useCallActions } from './use-calls.ts'
import { useInvitations } from './use-invitations.ts'

interface Props {
  /** The conference in which the user is. */
  tag: string
  insideIds: ReadonlySet<string>
}

/** Calls contacts into a room, and shows who does not come. */
export function InviteToRoom({ tag, insideIds }: Props) {
  const { t } = useTexts()
  const actions = useCallActions()
  const invitations = useInvitations(tag).filter(({ person }) => !insideIds.has(person.user_id))
  const [isChoosing, setChoosing] = useState(false)
  return (
    <div className={styles.invite}>
      <PanelButton icon={UserPlus} label={t('calls.invite.title')} onClick={() => setChoosing(true)} />
      <div role="status" className={styles.status}>
        {invitations.length > 0 && (
          <ul className={styles.people} aria-label={t('calls.invite.called')}>
            {invitations.map(({ call, person }) => (
              <li key={person.user_id} className={styles.person}>
                <span className={styles.text}>
                  <bdi className={styles.name}>{person.display_name || t('calls.unnamed')}</bdi>
                  <span className={styles.state}>{t(`calls.person.${person.state}`)}</span>
                </span>
                {person.state === 'ringing' && (
                  <PanelButton
                    icon={PhoneOff}
                    label={t('calls.outgoing.cancel')}
                    onClick={() => void actions.cancel(call)}
                    iconOnly
                    danger
                  />
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
      {isChoosing && (
        <CallPeopleDialog
          title={t('calls.invite.title')}
          without={insideIds}
          calls={[{ label: t('calls.invite.call'), start: ids => actions.invite(tag, ids) }]}
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  )
}
