/** A registration of a server. `id` is new each time; `serverId` and `address` are how others reach it. */
export interface NewServerLease {
  id: string
  serverId: string
  address: string
}

/** The holder of a session that could not be acquired: the lease of a server. */
export interface Holder {
  leaseId: string
  serverId: string
}
