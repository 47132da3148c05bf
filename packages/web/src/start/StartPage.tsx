import { MainMenu } from '../site/MainMenu.tsx'
import { useSite } from '../site/use-site.ts'
import { SignIn } from '../sso/SignIn.tsx'
import { useTexts } from '../texts/use-texts.ts'
import { Card } from '../ui/Card.tsx'
import { Page } from '../ui/Page.tsx'
import { useValue } from '../use-value.ts'
import { GoForm } from './GoForm.tsx'
import styles from './StartPage.module.css'

interface Props {
  /** The address belongs to a page for signed-in users, which is shown after the sign-in. */
  needsSignIn: boolean
}

/** The page of users who are signed out: a form for links and one to sign in, the needed one first. */
export function StartPage({ needsSignIn }: Props) {
  const { t } = useTexts()
  const { account } = useSite()
  const state = useValue(account)
  const hasExpired = state.is === 'out' && state.expired
  const reason = hasExpired ? t('entrance.lost') : needsSignIn ? t('signIn.needed') : t('signIn.text')
  const join = { id: 'join', title: t('start.title'), text: t('start.text'), form: <GoForm /> }
  const signIn = { id: 'sign-in', title: t('signIn.title'), text: reason, form: <SignIn /> }
  const [first, second] = needsSignIn ? [signIn, join] : [join, signIn]
  return (
    <Page title="Lectern" status={first.title} corner={<MainMenu isAtStart />}>
      <Card wide>
        <div className={styles.options}>
          <section className={styles.first} aria-labelledby={first.id}>
            <h1 id={first.id} className={styles.title}>
              {first.title}
            </h1>
            <p className={styles.text}>{first.text}</p>
            {first.form}
          </section>
          <section className={styles.second} aria-labelledby={second.id}>
            <h2 id={second.id} className={styles.heading}>
              {second.title}
            </h2>
            <p className={styles.text}>{second.text}</p>
            {second.form}
          </section>
        </div>
      </Card>
    </Page>
  )
}
