import type { ControlServer } from '../control/control-server.ts'
import { Entrants } from '../media/whip/entrants.ts'
import type { HttpSessions } from '../media/whip/http-sessions.ts'
import { inProcessSockets } from '../media/whip/in-process-socket.ts'
import type { AccountsPart } from './accounts.ts'
import type { ServerContext } from './context.ts'
import type { PartnersPart } from './partners.ts'

const TICK_MS = 1_000

/** Publishers and players over HTTP. Their libraries are loaded with the first of them, because they take memory. */
export function composeWhip(
  { config, scheduler }: ServerContext,
  { accounts, sessions }: AccountsPart,
  { integration }: PartnersPart,
  control: ControlServer,
): () => Promise<HttpSessions> {
  const { AllowGuests: allowGuests } = config.Conferences
  const entrants = new Entrants({ accounts, sessions, integration, allowGuests })
  const connect = (address: string) => {
    control.ensureCapacity(address)
    return inProcessSockets(control, address)
  }
  let opening: Promise<HttpSessions> | undefined
  const open = async () => {
    const { HttpSessions } = await import('../media/whip/http-sessions.ts')
    return new HttpSessions({ connect, entrants, monotonicMs: () => performance.now() })
  }
  scheduler.add({
    everyMs: TICK_MS,
    run: async () => (await opening)?.tick(),
    onFailure: 'publishers over HTTP could not be checked',
  })
  return () => {
    opening ??= open()
    return opening
  }
}
