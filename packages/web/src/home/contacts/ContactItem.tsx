import { type Contact, directChat } from '@lectern/protocol/control/client'
import { Check, EllipsisVertical, MessageSquare, X } from 'lucide-react'
import { memo } from 'react'
import { useConnection } from '../../account-connection/use-connection.ts'
import { homePath } from '../../address.ts'
import { CallButtons } from '../../calls/CallButtons.tsx'
import { Link } from '../../site/Link.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { IconLink } from '../../ui/IconLink.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { PanelButton } from '../../ui/PanelButton.tsx'
import { useNames } from '../messaging/use-messaging.ts'
import styles from './ContactItem.module.css'
import { ContactMenuItems } from './ContactMenuItems.tsx'
import { useContactActions } from './contact-actions.ts'
import { PresenceDot } from './PresenceDot.tsx'
import { useAction } from './use-action.ts'

/** A person with what can be done: write, answer a request, remove, block. */
export const ContactItem = memo(({ contact }: { contact: Contact }) => {
  const { t } = useTexts()
  const { userId } = useConnection()
  const { user_id, login, state } = contact
  const name = useNames().person(contact)
  const actions = useContactActions()
  const { failure, run } = useAction()
  const chatId = directChat(Number(userId), Number(user_id))
  return (
    <div className={styles.item}>
      <Avatar name={name} id={user_id} />
      <div className={styles.text}>
        {state === 'incoming' ? (
          <Link href={homePath('conversations', chatId)} className={styles.name} title={name}>
            <bdi>{name}</bdi>
          </Link>
        ) : (
          <span className={styles.name} title={name}>
            <bdi>{name}</bdi>
          </span>
        )}
        <span className={styles.facts}>
          {login !== '' && login !== name && <bdi>{login}</bdi>}
          {state === 'contact' && <PresenceDot contact={contact} showsText />}
        </span>
      </div>
      <div className={styles.actions}>
        {state === 'incoming' && (
          <>
            <PanelButton
              icon={Check}
              label={t('contacts.accept')}
              onClick={() => void run(() => actions.add(user_id))}
            />
            <PanelButton
              icon={X}
              label={t('contacts.decline')}
              onClick={() => void run(() => actions.remove(user_id))}
            />
          </>
        )}
        {state === 'contact' && <CallButtons people={[contact]} />}
        {(state === 'contact' || state === 'outgoing') && (
          <IconLink
            icon={MessageSquare}
            label={t('contacts.message', { name })}
            href={homePath('conversations', chatId)}
          />
        )}
        <Menu label={t('contacts.actionsOf', { name })} icon={EllipsisVertical}>
          {close => <ContactMenuItems userId={user_id} contact={contact} name={name} onClose={close} />}
        </Menu>
      </div>
      {failure && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
    </div>
  )
})
