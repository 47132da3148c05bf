import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Keys } from '../accounts/keys.ts'
import { mediaAddresses } from '../media/turn/addresses.ts'
import { Coturn } from '../media/turn/coturn.ts'
import { coturnConfig } from '../media/turn/coturn-config.ts'
import { embedsTurn, type TurnSettings, turnSecrets, turnSettings } from '../media/turn/settings.ts'
import { StunMultiplexer } from '../media/turn/stun-multiplexer.ts'
import type { Gauges } from '../operations/telemetry/metrics.ts'
import type { ServerContext } from './context.ts'

export interface TurnPart {
  /** For browsers. */
  settings: TurnSettings
  /** Null without a supervised TURN server, or without TLS. */
  multiplexer: StunMultiplexer | null
  gauges: Gauges
}

/** Starts the supervised TURN server if there is one. Its failures are logged and never stop the server. */
export async function composeTurn(context: ServerContext, keys: Keys): Promise<TurnPart> {
  const { config, log, lifetime } = context
  const settings = turnSettings(config, keys)
  if (!embedsTurn(config, keys)) return { settings, multiplexer: null, gauges: {} }
  const folder = join(config.Server.DataDir, 'turn')
  const file = join(folder, 'turnserver.conf')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const text = coturnConfig({ ...(await coturnSettings(context, keys)), folder })
    writeFileSync(file, text, { mode: 0o600 })
  } catch (error) {
    log.error({ err: error }, 'coturn cannot be configured: [Turn] Embedded has no effect')
    return { settings: { urls: config.Turn.Urls, secret: settings.secret }, multiplexer: null, gauges: {} }
  }
  const coturn = lifetime.own('coturn', Coturn.start({ file, log }), each => each.stop())
  const multiplexer = config.Server.TlsCert ? new StunMultiplexer(config.Turn.Port) : null
  return {
    settings,
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

const coturnSettings = async ({ config, url }: ServerContext, keys: Keys) => ({
  ...(await mediaAddresses(config.Media)),
  port: config.Turn.Port,
  relayPorts: { min: config.Turn.MinPort, max: config.Turn.MaxPort },
  hasMediaNodes: config.Cluster.MediaNodes,
  realm: config.Integration.PublicUrl ? new URL(url.public()).hostname : 'lectern',
  secrets: turnSecrets(config, keys),
})
