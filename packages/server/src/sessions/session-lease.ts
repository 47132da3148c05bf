/** The right of one server to run one session. Each acquisition of a session is another incarnation. */
export interface SessionLease {
  readonly sessionId: number
  readonly incarnation: number
  /** The lease of the server. */
  readonly owner: string
}
