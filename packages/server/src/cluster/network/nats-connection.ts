import { readFileSync } from 'node:fs'
import type { NatsConnection } from '@nats-io/transport-node'
import type { NatsAddress } from '../../platform/config/cluster.ts'

export interface NatsSettings {
  addresses: readonly NatsAddress[]
  /** PEM file; empty: the authorities of the system. */
  ca: string
  namespace: string
  /** How NATS names the connection. */
  name: string
}

const CONNECT_TIMEOUT_MS = 3_000
/** A dead connection is noticed after three of them at most. */
const PING_MS = 1_000
const PINGS_MAX = 2

/** One attempt to connect to one server. The connection does not reconnect. Errors contain no credentials. */
export async function connectTo(address: NatsAddress, settings: NatsSettings): Promise<NatsConnection> {
  const { connect } = await import('@nats-io/transport-node')
  const { host, port, user, password, token, label } = address
  const isTls = address.tls || settings.ca !== ''
  return connect({
    servers: label.replace(/^\w+:\/\//, ''),
    name: settings.name,
    inboxPrefix: `${settings.namespace}.inbox`,
    ...(user !== undefined && { user, pass: password ?? '' }),
    ...(token !== undefined && { token }),
    // `host` is what the certificate is checked against when the address is an IP address.
    ...(isTls && {
      tls: { host, port, ...(settings.ca && { ca: readFileSync(settings.ca, 'utf8') }) } as object,
    }),
    timeout: CONNECT_TIMEOUT_MS,
    pingInterval: PING_MS,
    maxPingOut: PINGS_MAX,
    reconnect: false,
    ignoreClusterUpdates: true,
    noAsyncTraces: true,
  })
}

/** Why the server cannot be used; null if it can. */
export async function checkNats(address: NatsAddress, ca: string): Promise<string | null> {
  try {
    const connection = await connectTo(address, {
      addresses: [address],
      ca,
      namespace: 'lectern',
      name: 'lectern doctor',
    })
    await connection.close()
    return null
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return `${address.label} ${code ?? message}`
  }
}
