import type { CommandBody, ImplementedCommand } from '@lectern/protocol/control'
import * as chat from './chat.ts'
import { endBySelf } from './ending.ts'
import type { Here } from './here.ts'
import { setLock } from './lock.ts'
import { mute } from './mute.ts'
import { readmit, remove } from './removal.ts'
import { update } from './update.ts'

type Handler<N extends ImplementedCommand> = (here: Here, body: CommandBody<N>) => unknown

/** What somebody who is inside may ask for, and who does it. */
const handlers = {
  'conference.end': endBySelf,
  'conference.set_lock': setLock,
  'chat.send': chat.send,
  'chat.history': chat.history,
  'chat.set_mode': chat.setMode,
  'participant.update': update,
  'participant.mute': mute,
  'participant.remove': remove,
  'participant.readmit': readmit,
} satisfies { [N in ImplementedCommand]?: Handler<N> }

export type SessionCommand = keyof typeof handlers
export type Answer<N extends SessionCommand> = Awaited<ReturnType<(typeof handlers)[N]>>

export const isSessionCommand = (name: string): name is SessionCommand => Object.hasOwn(handlers, name)

export async function carryOut<N extends SessionCommand>(
  here: Here,
  name: N,
  body: CommandBody<N>,
): Promise<Answer<N>> {
  // TypeScript cannot see that the handler and the body are of the same command.
  const handle = handlers[name] as unknown as (here: Here, body: CommandBody<N>) => Answer<N>
  return handle(here, body)
}
