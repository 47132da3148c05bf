/** Facts that servers of a cluster share about themselves. */
export interface ClusterTables {
  server_leases: ServerLeasesTable
}

/**
 * One row for each registration of a server. Its sessions belong to it (`conference_sessions.owner`) until it is dead,
 * which it stays: a server that returns registers again.
 */
export interface ServerLeasesTable {
  id: string
  server_id: string
  /** The address for other servers. */
  address: string
  /** Milliseconds, by the clock of the database. */
  lease_until_ms: number
  is_dead: number
}
