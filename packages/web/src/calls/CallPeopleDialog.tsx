import { CALL_PEOPLE_MAX, type Contact } from '@lectern/protocol/control/client'
import { useDeferredValue, useState } from 'react'
import { useAccountView } from '../account-connection/use-connection.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { VirtualList } from '../ui/VirtualList.tsx'
import styles from './CallPeopleDialog.module.css'
import type { CallProblem } from './call-actions.ts'
import { callableContacts } from './callable-contacts.ts'
import { namesOf } from './facts.ts'
import { PersonChoice } from './PersonChoice.tsx'

const ROW_REM = 3.25

interface Props {
  title: string
  /** The accounts of people who cannot be chosen. */
  without?: ReadonlySet<string>
  /** The ways to call; each one is a button. */
  calls: readonly { label: string; start: (userIds: string[]) => Promise<CallProblem | null> }[]
  onClose: () => void
}

const NOBODY: ReadonlySet<string> = new Set()
const idOf = ({ user_id }: Contact) => user_id

/** Chooses contacts and calls them together. */
export function CallPeopleDialog({ title, without = NOBODY, calls, onClose }: Props) {
  const { t, locale } = useTexts()
  const contacts = useAccountView()?.contacts ?? []
  const [chosen, setChosen] = useState<readonly Contact[]>([])
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<CallProblem | 'nobody' | null>(null)
  const shown = callableContacts(contacts, { without, search: useDeferredValue(typed), locale })
  const chosenIds = new Set(chosen.map(idOf))
  const isFull = chosen.length >= CALL_PEOPLE_MAX
  const toggle = (contact: Contact) => {
    setProblem(null)
    if (chosenIds.has(contact.user_id)) setChosen(chosen.filter(each => each.user_id !== contact.user_id))
    else if (!isFull) setChosen([...chosen, contact])
  }
  const call = async (start: Props['calls'][number]['start']) => {
    if (chosen.length === 0) return setProblem('nobody')
    setBusy(true)
    const failure = await start(chosen.map(idOf))
    setBusy(false)
    setProblem(failure)
    if (failure === null) onClose()
  }
  const named = chosen.map(({ display_name, login }) => ({ display_name: display_name || login }))
  return (
    <Dialog title={title} onClose={onClose}>
      <Field
        label={t('contacts.search')}
        type="search"
        value={typed}
        onChange={setTyped}
        autoComplete="off"
        maxLength={64}
      />
      {shown.length === 0 ? (
        <p className={styles.note}>{typed === '' ? t('calls.choose.none') : t('contacts.notFound')}</p>
      ) : (
        <div className={styles.people}>
          <VirtualList label={t('calls.choose.people')} items={shown} keyOf={idOf} rowRem={ROW_REM}>
            {contact => (
              <PersonChoice
                contact={contact}
                isChosen={chosenIds.has(contact.user_id)}
                isDisabled={isFull && !chosenIds.has(contact.user_id)}
                onToggle={() => toggle(contact)}
              />
            )}
          </VirtualList>
        </div>
      )}
      <p className={styles.note} role="status">
        {chosen.length > 0 &&
          t('calls.choose.chosen', {
            number: chosen.length,
            max: CALL_PEOPLE_MAX,
            names: namesOf(named, locale, t('calls.unnamed')),
          })}
      </p>
      <p className={styles.problem} role="alert">
        {problem && (problem === 'nobody' ? t('calls.choose.nobody') : t(`calls.problem.${problem}`))}
      </p>
      <div className={styles.actions}>
        {calls.map(({ label, start }, index) => (
          <Button key={label} secondary={index > 0} busy={isBusy} onClick={() => void call(start)}>
            {label}
          </Button>
        ))}
      </div>
    </Dialog>
  )
}
