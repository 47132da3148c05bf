/** As long as the server takes; written again because its own constant stands among schemas. */
const NAME_MAX = 128

/** A name as others will see it, or null when nothing is left of what was typed. */
export function readName(typed: string): string | null {
  const name = typed.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return Array.from(name).slice(0, NAME_MAX).join('').trim() || null
}
