import type { AccountView } from '@lectern/control-client'
import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import type { HomePageName } from '../address.ts'

/** A page of signed-in users; address.ts has its address, the texts `home.pages` its name in the navigation. */
export interface HomePage {
  name: HomePageName
  icon: LucideIcon
  /** `parts`: what follows the name in the path, decoded, such as an id. */
  Page: ComponentType<{ parts: readonly string[] }>
  /** In the bar of a phone, which has four places, or else in the main menu there. */
  isInBar?: boolean
  /** The number of news on the page, for the badge of its link. */
  countNews?: (view: AccountView) => number
  /** Only users with this capability have the page. */
  capability?: string
  /** Only owners of technical users have the page. */
  isForOwners?: boolean
}
