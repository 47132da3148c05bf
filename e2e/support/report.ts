/** What these stories read in `report.json`. */
export interface Report {
  attempts: number[]
  tracks: {
    /** Named by the attempt, and then by its number in that. */
    journal: string
    participant_id: string
    source: string
    offset_ms: number
    duration_ms: number
    not_written: number
    gap_count: number
  }[]
  troubles: { name: string; at_ms: number }[]
}

/**
 * For how many milliseconds around a moment nothing was recorded, of the sound or picture that was missed longest.
 * Infinity: something did not come back, or nothing was there.
 */
export function missingAround({ tracks }: Report, atMs: number): number {
  const sources = new Set(tracks.filter(({ offset_ms }) => offset_ms < atMs).map(sourceOf))
  const missing = [...sources].map(source => {
    const own = tracks.filter(track => sourceOf(track) === source)
    const [before, after] = [
      own.filter(track => track.offset_ms < atMs),
      own.filter(track => track.offset_ms >= atMs),
    ]
    const end = Math.max(...before.map(({ offset_ms, duration_ms }) => offset_ms + duration_ms))
    return Math.min(...after.map(({ offset_ms }) => offset_ms)) - end
  })
  return sources.size > 0 ? Math.max(...missing) : Number.POSITIVE_INFINITY
}

const sourceOf = ({ participant_id, source }: Report['tracks'][number]) => `${participant_id} ${source}`
