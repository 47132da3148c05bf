import { MainMenu } from '../site/MainMenu.tsx'
import { useSite } from '../site/use-site.ts'
import { SignIn } from '../sso/SignIn.tsx'
import { useTexts } from '../texts/use-texts.ts'
import { Card } from '../ui/Card.tsx'
import { Page } from '../ui/Page.tsx'
import { useValue } from '../use-value.ts'
import { GoForm } from './GoForm.tsx'
import styles from './StartPage.module.css'

/** The page without a link for users who are signed out: link and sign-in forms. */
export function StartPage() {
  const { t } = useTexts()
  const { account } = useSite()
  const state = useValue(account)
  const title = t('start.title')
  return (
    <Page title="Lectern" status={title} corner={<MainMenu isAtStart />}>
      <Card wide>
        <div className={styles.options}>
          <section className={styles.first} aria-labelledby="start-title">
            <h1 id="start-title" className={styles.title}>
              {title}
            </h1>
            <p className={styles.text}>{t('start.text')}</p>
            <GoForm />
          </section>
          <section className={styles.second} aria-labelledby="start-second">
            <h2 id="start-second" className={styles.heading}>
              {t('signIn.title')}
            </h2>
            <p className={styles.text}>
              {state.is === 'out' && state.expired ? t('entrance.lost') : t('signIn.text')}
            </p>
            <SignIn />
          </section>
        </div>
      </Card>
    </Page>
  )
}
