import type { Key } from './values.ts'

/** The address of clamd, as `connect` of node:net takes it. */
export type ClamdAddress = { path: string } | { host: string; port: number }

/** A socket in the file system, or a host and a port. Null: there is none. */
export const clamd = (description: string): Key<string> => ({
  description,
  form: 'the absolute path of a socket such as /run/clamav/clamd.ctl, or HOST:PORT',
  fallback: '',
  parse: value => {
    if (!addressOf(value)) throw new Error('the absolute path of a socket, or HOST:PORT')
    return value
  },
})

const addressOf = (value: string): ClamdAddress | null => {
  if (/^\/[^\0]+$/.test(value)) return { path: value }
  const [, inBrackets, name, digits] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(value) ?? []
  const [host, port] = [inBrackets ?? name, Number(digits)]
  return host && port > 0 && port <= 65_535 ? { host, port } : null
}

/** Null: files are not scanned. */
export const clamdAddress = ({ Files }: { Files: { Clamd: string } }): ClamdAddress | null =>
  addressOf(Files.Clamd)
