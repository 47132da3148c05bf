/** An id that nobody else makes. Also where crypto.randomUUID is missing: pages that are no secure context. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(15))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
