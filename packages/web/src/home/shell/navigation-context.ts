import { createContext, useContext } from 'react'
import type { HomePage } from '../home-page.ts'

interface NavigationState {
  /** The pages that this user has. */
  pages: readonly HomePage[]
  current: HomePage | null
  /** How far the user has scrolled on a page, by its path. */
  scrollPlaces: Map<string, number>
}

export const NavigationContext = createContext<NavigationState>({
  pages: [],
  current: null,
  scrollPlaces: new Map(),
})

export const useNavigation = (): NavigationState => useContext(NavigationContext)
