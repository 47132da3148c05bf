import { ControlClient, type ControlClientOptions, platformEnvironment } from '@lectern/control-client'
import { assertReachable } from './reachability.ts'

export type CreateControlOptions = Pick<
  ControlClientOptions,
  'accessToken' | 'joinToken' | 'backoffCapMs' | 'conference'
>

/** Creates a control client to the server of this page; `open()` connects it. */
export function createControl({ accessToken, ...rest }: CreateControlOptions): ControlClient {
  const control: ControlClient = new ControlClient(platformEnvironment(), {
    ...rest,
    url: controlUrl(window.location),
    accessToken: async refused => {
      const state = control.state.get()
      if (state.is === 'connecting' && state.attempt > 0) await assertReachable()
      return accessToken(refused)
    },
    client: { name: 'web', version: __VERSION__, platform: 'web' }, // for the server's log
  })
  return control
}

const controlUrl = ({ protocol, host }: Location) =>
  `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/api/v1.0/control`
