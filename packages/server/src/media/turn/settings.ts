import { isIPv6 } from 'node:net'
import { announcedAddress } from '../../platform/address.ts'
import type { Config } from '../../platform/config/index.ts'

interface DerivedKeys {
  /** False without JwtSecret, from which the secret of the supervised coturn is derived. */
  configured: boolean
  deriveAccepted(purpose: string): readonly Buffer[]
}

export interface TurnSettings {
  /** Given to browsers. */
  urls: string[]
  secret: string
}

/** The TURN servers of browsers: [Turn] Urls, and the supervised one at all its addresses. */
export function turnSettings(config: Config, keys: DerivedKeys): TurnSettings {
  const { Urls, Secret } = config.Turn
  if (!embedsTurn(config, keys)) return { urls: Urls, secret: Secret }
  return { urls: [...embeddedUrls(config), ...Urls], secret: turnSecrets(config, keys)[0] ?? '' }
}

export const embedsTurn = ({ Turn }: Config, { configured }: DerivedKeys): boolean =>
  Turn.Embedded && (configured || Turn.Secret !== '')

/** The same for all servers of a cluster and after a restart, so that calls in progress keep their relays. */
export const turnSecrets = ({ Turn }: Config, keys: DerivedKeys): string[] =>
  Turn.Secret ? [Turn.Secret] : keys.deriveAccepted('TURN').map(key => key.toString('hex'))

function embeddedUrls({ Turn, Media, Integration, Server }: Config): string[] {
  const host = announcedAddress({ Media }) || Media.ListenIp
  const plain = `turn:${isIPv6(host) ? `[${host}]` : host}:${Turn.Port}`
  return [
    `${plain}?transport=udp`,
    `${plain}?transport=tcp`,
    ...(Server.TlsCert && Integration.PublicUrl ? [secureUrl(Integration.PublicUrl)] : []),
  ]
}

/** On the port of the pages, under the name that the certificate has. */
function secureUrl(publicUrl: string): string {
  const { hostname, port } = new URL(publicUrl)
  return `turns:${hostname}:${port || 443}?transport=tcp`
}
