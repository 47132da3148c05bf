import { ControlClient, platformEnvironment } from '@lectern/control-client'
import type { Logger } from 'pino'
import { WebSocket } from 'ws'
import type { AccessToken } from './sign-in.ts'

export interface Access {
  serverUrl: string
  accessToken: AccessToken
  /** As it is told to the server. */
  name: string
  version: string
  log: Logger
}

/** A connection of the worker's account, not yet open; `about` is for the log. */
export function connect({ serverUrl, accessToken, name, version, log }: Access, about = {}): ControlClient {
  const client = new ControlClient(platformEnvironment(WebSocket), {
    url: `${serverUrl.replace(/^http/, 'ws')}/api/v1.0/control`,
    accessToken: async refused => {
      const token = await accessToken(refused !== undefined)
      if (token === null) throw new Error('there is no token now')
      return token
    },
    client: { name, version, platform: 'node' },
  })
  client.state.subscribe(() => {
    const state = client.state.get()
    // The first attempt may find it there again.
    if (state.is === 'waiting' && state.attempt === 2)
      log.warn({ reason: state.reason, ...about }, 'the server is not reached')
  })
  return client
}

/** Resolves when the server knows the worker; rejects when it never will. */
export function signedIn(client: ControlClient): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const state = client.state.get()
      if (state.is === 'ready') resolve()
      if (state.is === 'ended') reject(new Error(`the server sends the worker away: ${state.reason.is}`))
    }
    client.state.subscribe(look)
    look()
  })
}
