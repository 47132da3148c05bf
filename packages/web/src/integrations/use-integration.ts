import { createContext, useContext } from 'react'
import { homePath } from '../address.ts'

/** The name of the service account whose pages are shown. */
export const IntegrationContext = createContext('')

/** The path of a page of the service account that is shown. */
export function useIntegrationPath(): (...parts: string[]) => string {
  const name = useContext(IntegrationContext)
  return (...parts) => homePath('integrations', name, ...parts)
}
