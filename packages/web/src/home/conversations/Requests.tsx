import { type Contact, directChat } from '@lectern/protocol/control/client'
import { useConnection } from '../../account-connection/use-connection.ts'
import { homePath } from '../../address.ts'
import { Link } from '../../site/Link.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { useNames } from '../messaging/use-messaging.ts'
import styles from './Requests.module.css'

/** A flood of requests MUST NOT push the conversations out of view. */
const SHOWN = 3

interface Props {
  requests: readonly Contact[]
  openChatId: string | undefined
}

/** The first people who ask to become contacts; all are among the contacts. The conversation shows what they have written, and the answers. */
export function Requests({ requests, openChatId }: Props) {
  const { t } = useTexts()
  const { userId } = useConnection()
  const names = useNames()
  return (
    <section className={styles.requests} aria-labelledby="requests-title">
      <h2 id="requests-title" className={styles.title}>
        {t('conversations.requests', { number: requests.length })}
      </h2>
      <ul className={styles.list}>
        {requests.slice(0, SHOWN).map(contact => {
          const chatId = directChat(Number(userId), Number(contact.user_id))
          return (
            <li key={contact.user_id}>
              <Link
                href={homePath('conversations', chatId)}
                className={styles.row}
                aria-current={chatId === openChatId ? 'true' : undefined}
              >
                <Avatar name={names.person(contact)} id={contact.user_id} />
                <span className={styles.text}>
                  <bdi className={styles.name}>{names.person(contact)}</bdi>
                  <span className={styles.login}>{contact.login}</span>
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
      {requests.length > SHOWN && (
        <Link href={homePath('contacts')} className={styles.all}>
          {t('conversations.allRequests')}
        </Link>
      )}
    </section>
  )
}
