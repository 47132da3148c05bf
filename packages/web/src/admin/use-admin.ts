import { createContext, useContext } from 'react'
import type { ConsoleApi } from './data/console-api.ts'

export interface Admin {
  api: ConsoleApi
  /** Shows what an action has led to; null clears it. */
  notify: (notice: Notice | null) => void
  /** The searches of the lists, by page and title: whoever comes back finds the same rows. */
  searches: Map<string, ListQuery>
}

interface ListQuery {
  search: string
  filters: Readonly<Record<string, string>>
}

export interface Notice {
  text: string
  isFailure: boolean
}

export const AdminContext = createContext<Admin | null>(null)

export function useAdmin(): Admin {
  const admin = useContext(AdminContext)
  if (!admin) throw new Error('AdminPages provides the administration API')
  return admin
}
