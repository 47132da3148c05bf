/** Content-Disposition of a download (RFC 6266): an ASCII file name, and the exact one where it differs. */
export function attachment(path: string, disposition: 'attachment' | 'inline' = 'attachment'): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toWellFormed()
  const ascii = name.replace(/[^\x20-\x7e]|["%\\]/gu, '_')
  const exact = ascii === name ? '' : `; filename*=UTF-8''${encodeValue(name)}`
  return `${disposition}; filename="${ascii}"${exact}`
}

/** The same for a file that the browser shows. */
export const inline = (path: string): string => attachment(path, 'inline')

/** RFC 8187 percent-encodes more characters than URLs do. */
const encodeValue = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
