import type { Call } from '../../call/call.ts'
import { Observable } from '../../observable.ts'
import { useValue } from '../../use-value.ts'
import { Unread } from './unread.ts'

class Draft extends Observable<string> {
  readonly write = (text: string): void => this.set(text)
}

/** What of the chat outlives its panel: what was not read yet, and what is half written. */
interface Desk {
  unread: Unread
  draft: Draft
}

const desks = new WeakMap<Call, Desk>()

export function deskOf(call: Call): Desk {
  const desk = desks.get(call) ?? { unread: new Unread(call), draft: new Draft('') }
  desks.set(call, desk)
  return desk
}

/** How many messages wait, for the button that opens the chat. */
export const useUnread = (call: Call): number => useValue(deskOf(call).unread)
