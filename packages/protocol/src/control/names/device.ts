/** Participants of the same life of a session. */
const PER_LIFE = 100_000

/**
 * The number that recordings and transcripts have for a participant (docs/recording.md#profiles), unique within the
 * session: mostly, the how-manieth they were to come in.
 */
export function deviceIdOf(participantId: string): number {
  const [, life = 1, join = 0] = participantId.split('.').map(Number)
  return (life - 1) * PER_LIFE + join
}
