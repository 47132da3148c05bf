/** Invitations that were not accepted yet: at most one per account. */
export interface InvitationsTable {
  user_id: number
  token_hash: string
  created_at: number
  expires_at: number
}

export interface AccountSchema {
  invitations: InvitationsTable
}
