import { createContext, useContext } from 'react'
import type { HomePage } from '../page.ts'

interface NavigationState {
  /** The pages that this user has. */
  pages: readonly HomePage[]
  current: HomePage | null
}

export const NavigationContext = createContext<NavigationState>({ pages: [], current: null })

export const useNavigation = (): NavigationState => useContext(NavigationContext)
