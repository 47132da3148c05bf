import { SignInForm } from '../account/SignInForm.tsx'
import { MainMenu } from '../site/MainMenu.tsx'
import { useSite } from '../site/use-site.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Card } from '../ui/Card.tsx'
import { Page } from '../ui/Page.tsx'
import { useValue } from '../use-value.ts'
import { GoForm } from './GoForm.tsx'
import { OwnConferences } from './OwnConferences.tsx'
import styles from './StartPage.module.css'

/** The page without a link: the user's conferences, or sign-in and link forms. */
export function StartPage() {
  const { t } = useTexts()
  const { account } = useSite()
  const state = useValue(account)
  const isIn = state.is === 'in'
  const title = isIn ? t('start.own') : t('start.title')
  return (
    <Page title={isIn ? `${title} · Lectern` : 'Lectern'} status={title} corner={<MainMenu isAtStart />}>
      <Card wide>
        <div className={isIn ? styles.own : styles.options}>
          <section className={styles.first} aria-labelledby="start-title">
            <h1 id="start-title" className={styles.title}>
              {title}
            </h1>
            {isIn ? <OwnConferences key={state.user.userId} /> : <Welcome />}
          </section>
          <section className={styles.second} aria-labelledby="start-second">
            <h2 id="start-second" className={styles.heading}>
              {isIn ? t('start.other') : t('signIn.title')}
            </h2>
            {isIn ? <GoForm /> : <SignIn expired={state.expired} />}
          </section>
        </div>
      </Card>
    </Page>
  )
}

function Welcome() {
  const { t } = useTexts()
  return (
    <>
      <p className={styles.text}>{t('start.text')}</p>
      <GoForm />
    </>
  )
}

function SignIn({ expired }: { expired: boolean }) {
  const { t } = useTexts()
  const { account } = useSite()
  return (
    <>
      <p className={styles.text}>{expired ? t('entrance.lost') : t('signIn.text')}</p>
      <SignInForm account={account} />
    </>
  )
}
