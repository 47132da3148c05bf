import { Observable } from '@lectern/common'
import type { Call } from '../../call/call.ts'
import { Attachments } from '../../chat/files/attachments.ts'
import { useValue } from '../../use-value.ts'
import { Unread } from './unread.ts'

class Draft extends Observable<string> {
  readonly write = (text: string): void => this.set(text)
}

/** State of the chat that outlives its panel. */
interface ChatViewState {
  unread: Unread
  draft: Draft
  attachments: Attachments
}

const states = new WeakMap<Call, ChatViewState>()

export function chatViewStateOf(call: Call): ChatViewState {
  const state = states.get(call) ?? {
    unread: new Unread(call),
    draft: new Draft(''),
    attachments: new Attachments(call.files),
  }
  states.set(call, state)
  return state
}

/** The unread count, for the button that opens the chat. */
export const useUnread = (call: Call): number => useValue(chatViewStateOf(call).unread)
