/** A unique id. Also where crypto.randomUUID is missing: in insecure contexts. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(15))
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
