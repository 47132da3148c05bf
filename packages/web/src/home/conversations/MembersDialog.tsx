import { LogOut, UserMinus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useConnection } from '../../account-connection/use-connection.ts'
import { homePath } from '../../address.ts'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Form } from '../../ui/Form.tsx'
import { PanelButton } from '../../ui/PanelButton.tsx'
import { useValue } from '../../use-value.ts'
import styles from './MembersDialog.module.css'
import { type Member, Members } from './members.ts'

/** The members of the conversation of a meeting. Its owner adds and removes people; others can leave. */
export function MembersDialog({ tag, onClose }: { tag: string; onClose: () => void }) {
  const { t } = useTexts()
  const { account, go } = useSite()
  const { user } = useConnection()
  const [members] = useState(() => new Members(account, tag))
  const state = useValue(members)
  const [hasFailed, setFailed] = useState(false)
  const [leaving, setLeaving] = useState<Member | null>(null)
  useEffect(() => void members.load(), [members])
  const list = state.is === 'known' ? state.list : []
  const isOwner = list.some(each => each.isOwner && each.userId === user.userId)

  const remove = async ({ userId }: Member) => {
    setFailed(false)
    const failure = await members.remove(userId)
    if (failure !== null) return setFailed(true)
    if (userId !== user.userId) return
    onClose()
    go(homePath('conversations'))
  }
  return (
    <Dialog title={t('conversations.members')} onClose={onClose}>
      {state.is === 'loading' && <p role="status">{t('chat.loading')}</p>}
      {state.is === 'unknown' && (
        <div role="alert" className={styles.unknown}>
          <p>{t('conversations.membersUnknown')}</p>
          <Button secondary onClick={() => void members.load()}>
            {t('problem.again')}
          </Button>
        </div>
      )}
      <ul className={styles.list}>
        {list.map(member => {
          const name = member.displayName || t('chat.nameless')
          const isSelf = member.userId === user.userId
          return (
            <li key={member.userId} className={styles.item}>
              <Avatar name={name} id={String(member.userId)} />
              <span className={styles.text}>
                <bdi className={styles.name}>{isSelf ? t('room.you', { name }) : name}</bdi>
                {member.isOwner && <span className={styles.role}>{t('conversations.owner')}</span>}
                {member.isInvited && <span className={styles.role}>{t('conversations.invited')}</span>}
              </span>
              {!member.isOwner && (isOwner || isSelf) && (
                <PanelButton
                  icon={isSelf ? LogOut : UserMinus}
                  label={isSelf ? t('conversations.leave') : t('conversations.removeMember', { name })}
                  onClick={() => (isSelf ? setLeaving(member) : void remove(member))}
                  iconOnly
                />
              )}
            </li>
          )
        })}
      </ul>
      {hasFailed && (
        <p role="alert" className={styles.failure}>
          {t('chat.notDone')}
        </p>
      )}
      {isOwner && <AddMember add={members.add} />}
      {leaving && (
        <ConfirmDialog
          question={t('conversations.leaveConfirm')}
          verb={t('conversations.leave')}
          cancel={t('room.cancel')}
          danger
          onConfirm={() => void remove(leaving)}
          onClose={() => setLeaving(null)}
        />
      )}
    </Dialog>
  )
}

function AddMember({ add }: Pick<Members, 'add'>) {
  const { t } = useTexts()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const submit = async () => {
    const login = typed.trim()
    if (login === '' || isBusy) return field.current?.focus()
    setBusy(true)
    const code = await add(login)
    setBusy(false)
    setFailure(code)
    field.current?.focus()
    if (code === null) setTyped('')
  }
  const message = () => {
    if (failure === 'not_found') return t('contacts.refused.not_reachable')
    return failure === 'too_many_members' ? t('conversations.tooManyMembers') : t('chat.notDone')
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
        error={failure === null ? null : message()}
      />
      <Button secondary busy={isBusy}>
        {t('conversations.addMember')}
      </Button>
    </Form>
  )
}
