import type { Contact } from '@lectern/protocol/control/client'
import { homePath } from '../../address.ts'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { useContactActions } from '../contacts/contact-actions.ts'
import { useAction } from '../contacts/use-action.ts'
import { useNames } from '../messaging/use-messaging.ts'
import styles from './Answers.module.css'

/** In place of the field for messages: the answers to a request, or the end of a block. */
export function Answers({ contact }: { contact: Contact }) {
  const { t } = useTexts()
  const { go } = useSite()
  const name = useNames().person(contact)
  const actions = useContactActions()
  const { isBusy, failure, run } = useAction()
  const { user_id } = contact
  const isBlocked = contact.state === 'blocked'
  const decline = async () => {
    if (await run(() => actions.remove(user_id))) go(homePath('conversations'))
  }
  return (
    <section
      className={styles.answers}
      aria-label={isBlocked ? t('contacts.blocked') : t('contacts.incoming')}
    >
      <p>{isBlocked ? t('conversations.blockedText', { name }) : t('conversations.requestText', { name })}</p>
      <div className={styles.buttons}>
        {isBlocked ? (
          <Button secondary busy={isBusy} onClick={() => void run(() => actions.remove(user_id))}>
            {t('contacts.unblock')}
          </Button>
        ) : (
          <>
            <Button busy={isBusy} onClick={() => void run(() => actions.add(user_id))}>
              {t('contacts.accept')}
            </Button>
            <Button secondary busy={isBusy} onClick={() => void decline()}>
              {t('contacts.decline')}
            </Button>
            <Button secondary busy={isBusy} onClick={() => void run(() => actions.block(user_id))}>
              {t('contacts.block')}
            </Button>
          </>
        )}
      </div>
      <p role="alert" className={styles.failure}>
        {failure}
      </p>
    </section>
  )
}
