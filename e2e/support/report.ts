/** The fields of `report.json` that the stories read. */
export interface Report {
  attempts: number[]
  tracks: {
    /** Named after the attempt and the number within it. */
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
 * The longest recording gap of any track around a time, in milliseconds. Infinity if a track did not resume or none
 * existed.
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
