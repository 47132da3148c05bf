import type { EventBody } from './bodies.ts'
import { OPEN_CALLS_MAX } from './call-limits.ts'
import type { CallInfo } from './calls.ts'
import type { Contact } from './contacts.ts'
import type { AccountEventName } from './events.ts'
import type { Conversation } from './messages.ts'
import { CONVERSATIONS_MAX, PREVIEW_MAX, UNREAD_MAX } from './messaging-limits.ts'
import type { AccountState } from './states.ts'

/**
 * The state of an account after an event. Server and clients use this same function, so that every device has the same
 * counters. Ignores events with an unknown name.
 */
export function reduceAccount(state: AccountState, event: { name: string; body: unknown }): AccountState {
  if (!Object.hasOwn(cases, event.name)) return state
  // TypeScript cannot see that the name and the body come from the same event.
  const apply = cases[event.name as AccountEventName] as Case<unknown>
  return apply(state, event.body)
}

type Case<Body> = (state: AccountState, body: Body) => AccountState

/** The reducer of every event. An event without a case does not compile. */
const cases: { [N in AccountEventName]: Case<EventBody<N>> } = {
  'account.changed': (state, { display_name }) => ({ ...state, display_name }),
  'message.added': addMessage,
  'message.changed': changeMessage,
  'conversation.changed': (state, { conversation, ...unread }) => ({
    ...putConversation(state, conversation),
    ...unread,
  }),
  'conversation.removed': (state, { chat_id, ...unread }) => ({
    ...state,
    conversations: state.conversations.filter(each => each.chat_id !== chat_id),
    ...unread,
  }),
  'contact.changed': (state, { contact }) => ({ ...state, contacts: putContact(state.contacts, contact) }),
  'contact.removed': (state, { user_id }) => ({
    ...state,
    contacts: state.contacts.filter(each => each.user_id !== user_id),
  }),
  'presence.changed': (state, { user_id, presence }) => ({
    ...state,
    contacts: state.contacts.map(each => (each.user_id === user_id ? { ...each, presence } : each)),
  }),
  'call.changed': (state, { call }) => ({ ...state, calls: putCall(state.calls, call) }),
  'call.unseen': (state, { missed_calls }) => ({ ...state, missed_calls }),
  // A waiting client requests to join again; the state does not change.
  'lobby.status': state => state,
  // Workers lease the job themselves; the state does not change.
  'job.available': state => state,
  'job.stopping': state => state,
}

/** Calls that have not ended, newest first. Events may arrive out of order: a call never goes back (rule CALL-14). */
function putCall(calls: CallInfo[], call: CallInfo): CallInfo[] {
  const known = calls.find(each => each.call_id === call.call_id)
  if (known && known.revision >= call.revision) return calls
  const others = calls.filter(each => each !== known)
  if (call.state === 'ended') return others
  return [...others, call].sort((a, b) => Number(b.call_id) - Number(a.call_id)).slice(0, OPEN_CALLS_MAX)
}

/** Leaves a conversation that is not in the state to the `conversation.changed` that follows (rule MSG-16). */
function addMessage(state: AccountState, { chat_id, message }: EventBody<'message.added'>): AccountState {
  const known = state.conversations.find(each => each.chat_id === chat_id)
  if (!known || !isAfter(message.message_id, known.last_message?.message_id ?? null)) return state
  const isOwn = message.user_id === state.user_id
  const isNew = !isOwn && isAfter(message.message_id, known.read_up_to)
  return putConversation(state, {
    ...known,
    last_message: { ...message, text: previewOf(message.text) },
    activity_at_ms: message.sent_at_ms,
    // The sender of a message has read the ones before it.
    ...(isOwn && { read_up_to: message.message_id, unread: 0 }),
    ...(isNew && { unread: Math.min(known.unread + 1, UNREAD_MAX) }),
  })
}

/** Counters follow with `conversation.changed`. */
function changeMessage(
  state: AccountState,
  { chat_id, message }: EventBody<'message.changed'>,
): AccountState {
  const conversations = state.conversations.map(each =>
    each.chat_id === chat_id && each.last_message?.message_id === message.message_id
      ? { ...each, last_message: { ...message, text: previewOf(message.text) } }
      : each,
  )
  return { ...state, conversations }
}

function putConversation(state: AccountState, conversation: Conversation): AccountState {
  const known = state.conversations.find(each => each.chat_id === conversation.chat_id)
  const changeOf = (counts: (conversation: Conversation) => boolean) =>
    Number(counts(conversation)) - Number(known ? counts(known) : false)
  return {
    ...state,
    conversations: placeConversation(state.conversations, known, conversation),
    unread_conversations: Math.max(0, state.unread_conversations + changeOf(isUnread)),
    unmuted_unread_conversations: Math.max(
      0,
      state.unmuted_unread_conversations + changeOf(each => isUnread(each) && !each.muted),
    ),
  }
}

/** In place of `known`, in the order of the list. */
function placeConversation(
  all: Conversation[],
  known: Conversation | undefined,
  conversation: Conversation,
): Conversation[] {
  const [first, second] = all
  // Most messages are in the conversation that is first already.
  if (known && known === first && (!second || isBefore(second, conversation)))
    return [conversation, ...all.slice(1)]
  const others = all.filter(each => each !== known)
  const position = others.findIndex(each => isBefore(each, conversation))
  others.splice(position < 0 ? others.length : position, 0, conversation)
  return others.slice(0, CONVERSATIONS_MAX)
}

const isUnread = ({ unread }: Conversation) => unread > 0

/** Whether the first has an older last message than the second. */
const isBefore = (one: Conversation, other: Conversation) =>
  isAfter(other.last_message?.message_id ?? '0', one.last_message?.message_id ?? null)

const putContact = (contacts: Contact[], contact: Contact): Contact[] =>
  contacts.some(each => each.user_id === contact.user_id)
    ? contacts.map(each => (each.user_id === contact.user_id ? contact : each))
    : [...contacts, contact]

/** Whether a message is newer than another: their ids grow. */
export const isAfter = (messageId: string, other: string | null): boolean =>
  other === null || Number(messageId) > Number(other)

/** The text of a message in the summary of its conversation. */
export function previewOf(text: string): string {
  if (text.length <= PREVIEW_MAX) return text
  const characters = [...text.slice(0, 2 * PREVIEW_MAX)].slice(0, PREVIEW_MAX)
  return characters.join('')
}
