import { ControlClient, platformEnvironment } from '@lectern/control-client'
import type { Logger } from 'pino'
import { WebSocket } from 'ws'
import type { AccessToken } from './sign-in.ts'

export interface Access {
  serverUrl: string
  accessToken: AccessToken
  /** Sent to the server at login. */
  name: string
  version: string
  log: Logger
}

/**
 * Creates a connection of the worker account, not yet open. `about` is logged with failures; `conference`: the one that it
 * is for.
 */
export function connect(
  { serverUrl, accessToken, name, version, log }: Access,
  about = {},
  conference?: string,
): ControlClient {
  const client = new ControlClient(platformEnvironment(WebSocket), {
    url: `${serverUrl.replace(/^http/, 'ws')}/api/v1.0/control`,
    accessToken: async refused => {
      const token = await accessToken(refused !== undefined)
      if (token === null) throw new Error('no access token available')
      return token
    },
    client: { name, version, platform: 'node' },
    ...(conference !== undefined && { conference }),
  })
  client.state.subscribe(() => {
    const state = client.state.get()
    // The first retry often succeeds.
    if (state.is === 'waiting' && state.attempt === 2)
      log.warn({ reason: state.reason, ...about }, 'the server cannot be reached: retried')
  })
  return client
}

/** Resolves when the connection is ready; rejects when it has ended for good. */
export function signedIn(client: ControlClient): Promise<void> {
  return new Promise((resolve, reject) => {
    const onState = () => {
      const state = client.state.get()
      if (state.is === 'ready') resolve()
      if (state.is === 'ended') reject(new Error(`the server refused the worker: ${state.reason.is}`))
    }
    client.state.subscribe(onState)
    onState()
  })
}
