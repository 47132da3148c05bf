import { containsText } from '@lectern/common'
import type { Contact, ContactState } from '@lectern/protocol/control/client'
import { ContactRound, UserPlus } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { useAccountView } from '../../account-connection/use-connection.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { HeaderButton } from '../../ui/HeaderButton.tsx'
import { VirtualList } from '../../ui/VirtualList.tsx'
import { useNames } from '../messaging/use-messaging.ts'
import { PageFrame } from '../shell/PageFrame.tsx'
import { ContactItem } from './ContactItem.tsx'
import styles from './ContactsPage.module.css'
import { PersonFinder } from './PersonFinder.tsx'

/** In the order of the page. */
const SECTIONS: readonly ContactState[] = ['incoming', 'contact', 'outgoing', 'blocked']
/** A search is worth its place from this number on. */
const SEARCH_FROM = 8

/** The contacts with their presence, and requests. */
export function ContactsPage() {
  const { t, locale } = useTexts()
  const names = useNames()
  const view = useAccountView()
  const [isAdding, setAdding] = useState(false)
  const [query, setQuery] = useState('')
  const searched = useDeferredValue(query)
  const contacts = view?.contacts
  const sorted = useMemo(() => {
    const compare = new Intl.Collator(locale).compare
    return [...(contacts ?? [])].sort((a, b) => compare(a.display_name || a.login, b.display_name || b.login))
  }, [contacts, locale])
  const shown = sorted.filter(contact => containsText([names.person(contact), contact.login], searched))

  return (
    <PageFrame
      title={t('home.pages.contacts')}
      actions={<HeaderButton icon={UserPlus} label={t('contacts.add')} onClick={() => setAdding(true)} />}
    >
      <div className={styles.page}>
        {sorted.length >= SEARCH_FROM && (
          <input
            type="search"
            className={styles.search}
            aria-label={t('contacts.search')}
            placeholder={t('contacts.search')}
            value={query}
            onChange={({ target }) => setQuery(target.value)}
          />
        )}
        {contacts === undefined && <p className={styles.note}>{t('chat.loading')}</p>}
        {contacts?.length === 0 && (
          <EmptyState icon={ContactRound} title={t('contacts.none')} text={t('contacts.noneText')}>
            <Button onClick={() => setAdding(true)}>{t('contacts.add')}</Button>
          </EmptyState>
        )}
        {searched !== '' && shown.length === 0 && <p className={styles.note}>{t('contacts.notFound')}</p>}
        {SECTIONS.map(state => (
          <Section key={state} state={state} contacts={shown.filter(each => each.state === state)} />
        ))}
      </div>
      {isAdding && (
        <Dialog title={t('contacts.add')} onClose={() => setAdding(false)}>
          <PersonFinder verb={t('contacts.ask')} onFound={() => setAdding(false)} />
        </Dialog>
      )}
    </PageFrame>
  )
}

const ROW_REM = 4

const idOf = ({ user_id }: Contact) => user_id

function Section({ state, contacts }: { state: ContactState; contacts: readonly Contact[] }) {
  const { t } = useTexts()
  if (contacts.length === 0) return null
  return (
    <section aria-labelledby={`contacts-${state}`}>
      <h2 id={`contacts-${state}`} className={styles.heading}>
        {t(`contacts.sections.${state}`, { number: contacts.length })}
      </h2>
      <div className={styles.list}>
        <VirtualList items={contacts} keyOf={idOf} rowRem={ROW_REM}>
          {contact => <ContactItem contact={contact} />}
        </VirtualList>
      </div>
    </section>
  )
}
