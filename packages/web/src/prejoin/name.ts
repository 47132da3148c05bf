/** The server's limit; repeated here, because the constant is in a file of schemas. */
const NAME_MAX = 128

/** The display name, or null when nothing is left of the input. */
export function readName(typed: string): string | null {
  const name = typed.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return Array.from(name).slice(0, NAME_MAX).join('').trim() || null
}
