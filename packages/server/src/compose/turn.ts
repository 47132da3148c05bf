import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Keys } from '../accounts/keys.ts'
import { type MediaAddresses, mediaAddresses } from '../media/turn/addresses.ts'
import { Coturn } from '../media/turn/coturn.ts'
import { coturnConfig } from '../media/turn/coturn-config.ts'
import { embedsTurn, type TurnSettings, turnSecrets, turnSettings } from '../media/turn/settings.ts'
import { StunMultiplexer } from '../media/turn/stun-multiplexer.ts'
import type { Gauges } from '../operations/telemetry/metrics.ts'
import { isLoopback, isOwnAddress } from '../platform/address.ts'
import type { ServerContext } from './context.ts'

export interface TurnPart {
  /** For browsers, at the present addresses. */
  settings: () => TurnSettings
  /** Null without a supervised TURN server, or without TLS. */
  multiplexer: StunMultiplexer | null
  gauges: Gauges
}

/** As often as a name that is announced is resolved again. */
const ADDRESS_CHECK_MS = 60_000

/**
 * Starts the supervised TURN server if there is one, and again when its addresses have changed: coturn reads them once. Its
 * failures are logged and never stop the server.
 */
export async function composeTurn(context: ServerContext, keys: Keys): Promise<TurnPart> {
  const { config, log, lifetime, scheduler } = context
  let settings = turnSettings(config, keys)
  if (!embedsTurn(config, keys)) return { settings: () => settings, multiplexer: null, gauges: {} }
  const folder = join(config.Server.DataDir, 'turn')
  const file = join(folder, 'turnserver.conf')
  const coturn = lifetime.own('coturn', new Coturn({ file, log }), each => each.stop())
  let present: MediaAddresses | null = null
  const refresh = async () => {
    const addresses = await mediaAddresses(config.Media)
    if (present && (isDeepStrictEqual(addresses, present) || staysAt(present, addresses))) return
    settings = turnSettings(config, keys)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(file, coturnConfig({ ...addresses, ...coturnSettings(context, keys), folder }), {
      mode: 0o600,
    })
    if (present) log.warn(addresses, 'coturn is restarted with another address')
    present = addresses
    await coturn.start()
  }
  /** Without a network, which may come back as it was, and where another one came while the former address is still there. */
  const staysAt = (before: MediaAddresses, now: MediaAddresses) =>
    isLoopback(now.localAddress) ||
    (!config.Media.AnnouncedAddress && !isLoopback(before.localAddress) && isOwnAddress(before.localAddress))
  const onFailure = 'coturn cannot be configured: [Turn] Embedded has no effect'
  await refresh().catch(error => log.error({ err: error }, onFailure))
  scheduler.add({ everyMs: ADDRESS_CHECK_MS, run: refresh, onFailure })
  const multiplexer = config.Server.TlsCert ? new StunMultiplexer(config.Turn.Port) : null
  return {
    settings: () => (present ? settings : { ...settings, urls: config.Turn.Urls }),
    multiplexer,
    gauges: {
      lectern_turn_running: {
        help: 'Whether the supervised TURN server runs.',
        read: () => Number(coturn.isRunning),
      },
      lectern_turn_restarts_total: {
        help: 'Restarts of the supervised TURN server.',
        type: 'counter',
        read: () => coturn.restarts,
      },
      lectern_turn_tls_connections: {
        help: 'Connections on the https port that are passed to the TURN server.',
        read: () => multiplexer?.connections ?? 0,
      },
    },
  }
}

const coturnSettings = ({ config, url }: ServerContext, keys: Keys) => ({
  port: config.Turn.Port,
  relayPorts: { min: config.Turn.MinPort, max: config.Turn.MaxPort },
  hasMediaNodes: config.Cluster.MediaNodes,
  realm: config.Integration.PublicUrl ? new URL(url.public()).hostname : 'lectern',
  secrets: turnSecrets(config, keys),
})
