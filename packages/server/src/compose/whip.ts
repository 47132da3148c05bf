import type { ControlServer } from '../control/control-server.ts'
import { Entrants } from '../whip/entrants.ts'
import { HttpSessions } from '../whip/http-sessions.ts'
import { inProcessSockets } from '../whip/in-process-socket.ts'
import type { AccountsPart } from './accounts.ts'
import type { ServerContext } from './context.ts'
import type { PartnersPart } from './partners.ts'

const TICK_MS = 1_000

/** Publishers and players over HTTP. */
export function composeWhip(
  { config, clock, scheduler }: ServerContext,
  { accounts, sessions }: AccountsPart,
  { integration }: PartnersPart,
  control: ControlServer,
): HttpSessions {
  const { AllowGuests: allowGuests } = config.Conferences
  const entrants = new Entrants({ accounts, sessions, integration, allowGuests })
  const connect = (address: string) => {
    control.ensureCapacity(address)
    return inProcessSockets(control, address)
  }
  const whip = new HttpSessions({ connect, entrants, clock })
  scheduler.add({
    everyMs: TICK_MS,
    run: () => whip.tick(),
    onFailure: 'publishers over HTTP could not be checked',
  })
  return whip
}
