import { type ReactNode, useState } from 'react'
import type { Devices } from '../../devices/devices.ts'
import type { Account } from '../../identity/account.ts'
import type { Invitation } from '../../link/invitation.ts'
import { useModeratorTerm } from '../../room/moderator-term.ts'
import { SignIn } from '../../sso/SignIn.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { useValue } from '../../use-value.ts'
import styles from './EntryForm.module.css'
import { JoinForm } from './JoinForm.tsx'

export interface EntryFormProps {
  invitation: Invitation
  /** The suggested name; empty when none is known. */
  name: string
  account: Account
  devices: Devices
  onJoin: (name: string) => void
  /** The user may be about to join. */
  onApproach: () => void
}

/** Joining. With the plain link, users join with an account, or as guests where guests are admitted. */
export function EntryForm({ invitation, account, ...form }: EntryFormProps) {
  const { t } = useTexts()
  const state = useValue(account)
  const moderator = useModeratorTerm()
  const joinForm = (key: string) => <JoinForm key={key} {...form} />

  if (invitation.invitee) return joinForm('link')
  if (state.is === 'in')
    return (
      <div className={styles.entrance}>
        <p className={styles.who}>
          {t('entrance.signedIn', { login: state.user.login })}{' '}
          <LinkButton onClick={() => void account.signOut()}>{t('menu.signOut')}</LinkButton>
        </p>
        {joinForm(`account ${state.user.userId}`)}
      </div>
    )
  return (
    <div className={styles.entrance}>
      {state.expired && <p className={styles.notice}>{t('entrance.lost')}</p>}
      {invitation.admitsGuests ? (
        <GuestOrAccount>{joinForm('guest')}</GuestOrAccount>
      ) : (
        <>
          <p className={styles.notice}>{t('entrance.noGuests', moderator)}</p>
          <SignIn />
        </>
      )}
    </div>
  )
}

/** `children` is the form for guests, which is shown first. */
function GuestOrAccount({ children }: { children: ReactNode }) {
  const { t } = useTexts()
  const [isSigningIn, setSigningIn] = useState(false)
  return (
    <>
      {isSigningIn ? <SignIn /> : children}
      <p className={styles.aside}>
        {isSigningIn ? t('entrance.orGuest') : t('entrance.orAccount')}{' '}
        <LinkButton onClick={() => setSigningIn(!isSigningIn)}>
          {isSigningIn ? t('entrance.guest') : t('signIn.verb')}
        </LinkButton>
      </p>
    </>
  )
}
