import { useEffect, useRef, useState } from 'react'
import { useAccountView } from '../../account-connection/use-connection.ts'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { useValue } from '../../use-value.ts'
import { useContactActions } from './contact-actions.ts'
import { Directory } from './directory.ts'
import styles from './PersonFinder.module.css'
import { useAction } from './use-action.ts'

interface Props {
  /** The label of the button. */
  verb: string
  /** Handles the choice of somebody of the directory; absent: the same as with an exact login. */
  onPick?: (userId: string) => void
  /** A contact of the user with this id. */
  onFound: (userId: string) => void
}

/**
 * Finds a person by the exact login, or in the directory of the server. Whose login is entered and who is not a contact yet
 * is asked to become one.
 */
export function PersonFinder({ verb, onPick, onFound }: Props) {
  const { t } = useTexts()
  const view = useAccountView()
  const { addByLogin } = useContactActions()
  const { isBusy, failure, run } = useAction()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [isMissing, setMissing] = useState(false)
  const login = typed.trim()
  const { account } = useSite()
  const [directory] = useState(() => new Directory(account))
  const people = useValue(directory)
  useEffect(() => directory.search(typed), [directory, typed])
  useEffect(() => directory.close, [directory])

  const submit = () => {
    setMissing(login === '')
    if (login !== '') return find(login)
  }
  const find = async (login: string) => {
    const known = view?.contacts.find(each => each.login.toLowerCase() === login.toLowerCase())
    // To pick somebody opens the conversation, where requests are answered and blocks are lifted. To add somebody does both at once.
    const isDone = onPick !== undefined || known?.state === 'contact' || known?.state === 'outgoing'
    if (known && isDone) return onFound(known.user_id)
    let found: string | null = null
    const isFound = await run(async () => {
      found = (await addByLogin(login)).user_id
    })
    if (isFound && found !== null) onFound(found)
    else field.current?.select()
  }
  return (
    <Form className={styles.form} onSubmit={submit}>
      <Field
        ref={field}
        label={t('contacts.login')}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        required
        error={failure ?? (isMissing && login === '' ? t('signIn.loginMissing') : null)}
      />
      <p className={styles.note}>{t('contacts.loginNote')}</p>
      {people.length > 0 && (
        <ul className={styles.people} aria-label={t('contacts.found')}>
          {people.map(person => (
            <li key={person.userId}>
              <button
                type="button"
                className={styles.person}
                onClick={() => (onPick ? onPick(person.userId) : void find(person.login))}
              >
                <Avatar name={person.name} id={person.userId} />
                <span className={styles.text}>
                  <bdi className={styles.name}>{person.name}</bdi>
                  <bdi className={styles.note}>{person.login}</bdi>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <Button busy={isBusy}>{verb}</Button>
    </Form>
  )
}
