/** Table of the people inside of open sessions whose media outlives their server. */
export interface ParticipantTables {
  session_participants: SessionParticipantsTable
}

interface SessionParticipantsTable {
  participant_id: string
  session_id: number
  user_id: number
  connection_id: string
  display_name: string
  role: string
  joined_at_ms: number
}
