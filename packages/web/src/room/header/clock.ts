/** From here on the clock warns. */
export const LAST_MINUTES = 5

/** The rest of a meeting that ends later, such as one that was entered days before, is not shown. */
const SHOWN_MINUTES = 12 * 60

const two = (value: number) => String(value).padStart(2, '0')

/** How long something has lasted: "23:10", "1:02:03". */
export function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const rest = two(seconds % 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`
}

/** Whole minutes until the end, the begun one included; 0: it is past; null: it is far away. */
export function minutesLeft(endsAt: number, now: number): number | null {
  const minutes = Math.max(0, Math.ceil((endsAt - now) / 60_000))
  return minutes > SHOWN_MINUTES ? null : minutes
}
