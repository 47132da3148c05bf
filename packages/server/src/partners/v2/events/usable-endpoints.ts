import { batched } from '@lectern/common'
import type { Accounts } from '../../../accounts/accounts.ts'
import { isActive } from '../../../accounts/eligible.ts'
import type { Endpoint } from '../../ports.ts'
import type { ServiceAccountStore } from '../../stores/service-accounts.ts'

interface UsableEndpointsParts {
  serviceAccounts: Pick<ServiceAccountStore, 'enabledAmong'>
  accounts: Pick<Accounts, 'listByIds'>
}

/**
 * Whether the service account of an endpoint, and its technical user, are active. It is asked before each delivery, so those
 * asked for together take two queries.
 */
export const usableEndpoints = ({ serviceAccounts, accounts }: UsableEndpointsParts) =>
  batched(
    async (endpoints: Pick<Endpoint, 'serviceAccount' | 'clientId'>[]): Promise<boolean[]> => {
      const enabled = await serviceAccounts.enabledAmong([
        ...new Set(endpoints.map(({ serviceAccount }) => serviceAccount)),
      ])
      const users = await accounts.listByIds([...new Set(endpoints.map(({ clientId }) => clientId))])
      const active = new Set(users.filter(isActive).map(({ id }) => id))
      return endpoints.map(
        ({ serviceAccount, clientId }) => enabled.has(serviceAccount) && active.has(clientId),
      )
    },
    { schedule: setImmediate },
  )
