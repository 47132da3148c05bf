/** Content-Disposition of a download (RFC 6266): an ASCII name for all, and the exact one where it differs. */
export function attachment(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toWellFormed()
  const plain = name.replace(/[^\x20-\x7e]|["%\\]/gu, '_')
  const exact = plain === name ? '' : `; filename*=UTF-8''${encodeValue(name)}`
  return `attachment; filename="${plain}"${exact}`
}

/** RFC 8187 leaves fewer characters as they are than addresses do. */
const encodeValue = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
