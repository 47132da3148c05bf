import { useState } from 'react'
import { useConnection } from '../account-connection/use-connection.ts'
import type { HomeAddress } from '../address.ts'
import { NotFoundPage } from '../not-found/NotFoundPage.tsx'
import { useValue } from '../use-value.ts'
import styles from './HomePages.module.css'
import type { HomePage } from './home-page.ts'
import { OwnedAccountsContext, useOwnedAccounts } from './integrations/owned-accounts.ts'
import { homePages } from './pages.ts'
import { Navigation } from './shell/Navigation.tsx'
import { NavigationContext } from './shell/navigation-context.ts'

/** The pages of a signed-in user, in their frame. */
export function HomePages({ address }: { address: HomeAddress }) {
  const { capabilities } = useValue(useConnection())
  const [scrollPlaces] = useState(() => new Map<string, number>())
  const owned = useOwnedAccounts(address.page === 'integrations')
  const isAvailable = ({ capability, isForOwners }: HomePage) =>
    (!capability || capabilities.includes(capability)) && (!isForOwners || owned.isOwner)
  const pages = homePages.filter(isAvailable)
  const page = pages.find(({ name }) => name === address.page)
  if (!page) return <NotFoundPage />
  return (
    <NavigationContext value={{ pages, current: page, scrollPlaces }}>
      <OwnedAccountsContext value={owned}>
        <div className={styles.shell} data-detail={address.parts.length > 0 || undefined}>
          <Navigation />
          <page.Page key={page.name} parts={address.parts} />
        </div>
      </OwnedAccountsContext>
    </NavigationContext>
  )
}
