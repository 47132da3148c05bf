import { useAccountView } from '../../account-connection/use-connection.ts'
import { homePath } from '../../address.ts'
import { Link } from '../../site/Link.tsx'
import { MainMenu } from '../../site/MainMenu.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { Logo } from '../../ui/Logo.tsx'
import type { HomePage } from '../home-page.ts'
import styles from './Navigation.module.css'
import { useNavigation } from './navigation-context.ts'
import { usePhone } from './use-phone.ts'

/** The links to the pages: a rail, or a bar on phones. */
export function Navigation() {
  const { t } = useTexts()
  const { pages, current } = useNavigation()
  const isPhone = usePhone()
  const view = useAccountView()
  return (
    <nav className={styles.navigation} aria-label={t('home.navigation')}>
      {!isPhone && <Logo className={styles.logo} />}
      <ul className={styles.list}>
        {pages
          .filter(({ isInBar }) => isInBar || !isPhone)
          .map(page => (
            <li key={page.name}>
              <PageLink
                page={page}
                isCurrent={page === current}
                news={(view && page.countNews?.(view)) ?? 0}
              />
            </li>
          ))}
      </ul>
      {!isPhone && <MainMenu isAtStart placement="beside" />}
    </nav>
  )
}

function PageLink({ page, isCurrent, news }: { page: HomePage; isCurrent: boolean; news: number }) {
  const { t } = useTexts()
  const name = t(`home.pages.${page.name}`)
  const Icon = page.icon
  return (
    <Link href={homePath(page.name)} className={styles.link} aria-current={isCurrent ? 'page' : undefined}>
      <Icon aria-hidden="true" />
      <span className={styles.name} aria-hidden={news > 0}>
        {name}
      </span>
      {news > 0 && (
        <>
          <span className={styles.news} aria-hidden="true">
            {news > 99 ? '99+' : news}
          </span>
          <span className="visually-hidden">{t('home.unread', { page: name, number: news })}</span>
        </>
      )}
    </Link>
  )
}
