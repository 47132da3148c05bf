import { ConfigError } from './ini.ts'
import { type StorageSection, s3Settings } from './storage.ts'
import type { Proxies } from './values.ts'

/** How a reverse proxy is asked to send a file. */
export interface Sendfile {
  header: 'X-Accel-Redirect' | 'X-Sendfile'
  /** Before the path of a file in the folder; ends with a slash. */
  prefix: string
}

interface Settings {
  Storage: StorageSection & {
    SendfileHeader: Sendfile['header'] | 'none'
    SendfilePrefix: string
  }
}

const PREFIX = /^\/(?:[\w.~-]+\/)*$/
const ACCEL_PREFIX = '/lectern-files/'

/** Throws a ConfigError if the keys contradict each other. */
export function checkSendfile({ Storage, Server }: Settings & { Server: { TrustProxy: Proxies } }): void {
  const { SendfileHeader, SendfilePrefix } = Storage
  if (SendfileHeader === 'none') {
    if (SendfilePrefix) throw new ConfigError('[Storage] SendfilePrefix needs a SendfileHeader')
    return
  }
  if (s3Settings(Storage)) throw new ConfigError('[Storage] SendfileHeader needs a folder as Url')
  // Other clients would get the header instead of the file.
  if (Server.TrustProxy !== 1 && Server.TrustProxy.length === 0)
    throw new ConfigError('[Storage] SendfileHeader needs [Server] TrustProxy')
  if (SendfilePrefix && (!PREFIX.test(SendfilePrefix) || SendfilePrefix.includes('/../')))
    throw new ConfigError('[Storage] SendfilePrefix must begin and end with a slash, e.g. /lectern-files/')
}

/** Null: the server sends files itself. */
export function sendfileSettings({ Storage }: Settings): Sendfile | null {
  const { SendfileHeader: header, SendfilePrefix, Url } = Storage
  if (header === 'none') return null
  return { header, prefix: SendfilePrefix || (header === 'X-Sendfile' ? `${Url}/` : ACCEL_PREFIX) }
}
