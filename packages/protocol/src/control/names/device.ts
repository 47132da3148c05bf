/** The most joins of one incarnation of a session. */
const JOINS_PER_INCARNATION = 100_000

/**
 * The number that recordings and transcripts have for a participant (docs/recording.md#profiles), unique within the
 * session: mostly, the how-manieth they were to come in.
 */
export function deviceIdOf(participantId: string): number {
  const [, life = 1, join = 0] = participantId.split('.').map(Number)
  return (life - 1) * JOINS_PER_INCARNATION + join
}
