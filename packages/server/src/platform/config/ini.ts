export interface IniEntry {
  section: string
  key: string
  value: string
  line: number
}

/** An invalid configuration; the message is one line. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** The name of a key for a message; null if it may be a part of a secret that is broken into lines. */
export const quotable = (key: string): string | null => (/^[A-Za-z][A-Za-z0-9]{0,29}$/.test(key) ? key : null)

/**
 * Parses an INI text into entries with line numbers, which error messages need and INI libraries do not return. Comments
 * begin with `;` or `#` at the start of a line; values may be in double quotes. Throws a ConfigError for malformed lines,
 * repeated keys, and a comment behind a value, which would be a part of a folder or a password.
 */
export function parseIni(text: string, file: string): IniEntry[] {
  const entries: IniEntry[] = []
  let section = ''
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = index + 1
    const trimmed = raw.trim()
    if (trimmed === '' || trimmed.startsWith(';') || trimmed.startsWith('#')) continue
    const header = /^\[([^\]]+)\]$/.exec(trimmed)
    if (header) {
      section = (header[1] as string).trim()
      continue
    }
    const pair = /^([^=]+?)\s*=\s*(.*)$/.exec(trimmed)
    // Without the line itself, which may be a part of a secret.
    if (!pair) throw new ConfigError(`${file}:${line}: expected "[Section]" or "Key = value"`)
    const [, key, value] = pair as unknown as [string, string, string]
    if (section === '')
      throw new ConfigError(`${file}:${line}: ${quotable(key) ?? 'a key'} is before the first [Section]`)
    if (entries.some(entry => entry.section === section && entry.key === key))
      throw new ConfigError(`${file}:${line}: [${section}] ${quotable(key) ?? 'a key'} is given twice`)
    const quoted = /^"(.*)"$/.exec(value)
    const [, mark] = (!quoted && /\s([;#])(?=\s|$)/.exec(value)) || []
    if (mark)
      throw new ConfigError(
        `${file}:${line}: "${mark}" is behind the value of ${quotable(key) ?? 'a key'}: comments have lines of their own, and a value with it is in double quotes`,
      )
    entries.push({ section, key, value: quoted?.[1] ?? value, line })
  }
  return entries
}
