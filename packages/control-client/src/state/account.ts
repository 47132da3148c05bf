import type { AccountState } from '@lectern/protocol/control/client'

/** The state of the signed-in account, reduced from its stream. */
export type AccountView = AccountState

export { reduceAccount } from '@lectern/protocol/control/client'
