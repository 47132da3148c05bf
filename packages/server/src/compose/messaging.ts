import { directChat, parseChatId } from '@lectern/protocol/control'
import type { EventBus } from '../control/streams/event-bus.ts'
import type { ServerStreams } from '../control/streams/server-streams.ts'
import { isAcquainted } from '../messaging/acquaintances.ts'
import { AttendanceSink } from '../messaging/attendance.ts'
import { Contacts } from '../messaging/contacts.ts'
import type { ConferenceLookup } from '../messaging/directory/conference-lookup.ts'
import { Members } from '../messaging/members.ts'
import { MessagePublisher } from '../messaging/message-publisher.ts'
import { MessageWriter } from '../messaging/message-writer.ts'
import { Messages } from '../messaging/messages.ts'
import type { Messaging } from '../messaging/messaging.ts'
import { PresenceRegistry } from '../messaging/presence.ts'
import type { DescribeMessage } from '../messaging/push/ports.ts'
import { sessionChat } from '../messaging/session-chat.ts'
import { CONTACTS, CONVERSATIONS, ContactSource, ConversationSource } from '../messaging/state-sources.ts'
import { RateLimiter } from '../platform/rate-limiter.ts'
import type { ChatFiles, ChatLimiter, ChatNotice } from '../sessions/ports.ts'
import type { SessionRegistry } from '../sessions/session-registry.ts'
import type { ServerContext } from './context.ts'
import type { Stores } from './stores.ts'

/** The requests of a minute may be made at once. */
const CONTACT_REQUESTS_BURST_SECONDS = 60

export type MessagingPart = ReturnType<typeof composeMessaging>

interface MessagingParts {
  streams: ServerStreams
  lookup: ConferenceLookup
  registry: Pick<SessionRegistry, 'get'>
  chatLimiter: ChatLimiter
  chatFiles: ChatFiles
  /** Carries what happens in conversations of conferences to the servers that run their sessions. */
  chatBus: EventBus<ChatNotice>
  /** Carries the ids of accounts of which a device has vanished. */
  vanishedBus: EventBus<number>
}

const VANISHED_TOPIC = 'vanished'

/** The topic of all conversations of conferences. */
export const CHAT_TOPIC = 'conference-chat'

/** The messages that a sweep of removed conferences deletes at a time, and the most of one sweep. */
const SWEEP_MESSAGES = 1_000
const SWEEP_ROUNDS_MAX = 200

type Context = Pick<ServerContext, 'config' | 'clock' | 'monotonicMs' | 'log' | 'domainEvents'>
type UsedStores = Pick<Stores, 'users' | 'messages' | 'conversations' | 'contacts' | 'chat' | 'sessions'>

/** Conversations, contacts and presence. */
export function composeMessaging(context: Context, stores: UsedStores, parts: MessagingParts) {
  const { config, clock, log, domainEvents } = context
  const { accounts } = parts.streams
  const { users, conversations } = stores
  const onFailure = (error: unknown) =>
    log.warn(
      { err: error },
      'a change in messaging could not be published: devices may show the former state',
    )
  // Conferences made for calls have no conversation, and no members beyond the call.
  const findConference = async (tag: string) => {
    const conference = await parts.lookup.findOrdinary(tag)
    return conference?.purpose === 'meeting' ? conference : null
  }
  const refreshConversation = (userId: number, chatId: string) =>
    accounts.refresh(userId, CONVERSATIONS, [chatId])
  const onRelationsChanged = (userId: number, otherId: number) => {
    for (const [one, other] of [
      [userId, otherId],
      [otherId, userId],
    ] as const) {
      accounts.refresh(one, CONTACTS, [String(other)])
      refreshConversation(one, directChat(one, other))
    }
    domainEvents.publish('contacts-changed', { userId, otherId })
  }

  const presence = composePresence(context, stores, { accounts, onFailure })
  parts.vanishedBus.subscribe(VANISHED_TOPIC, userId => domainEvents.publish('device-vanished', { userId }))
  const publisher = new MessagePublisher({
    conversations,
    titleOf: async tag => (await findConference(tag))?.title ?? tag,
    publish: (userIds, event) => accounts.publishToMany(userIds, event),
    notifySession: notice => parts.chatBus.publish(CHAT_TOPIC, notice),
    onStored: event => domainEvents.publish('message-stored', event),
  })
  const writer = new MessageWriter({ store: stores.messages, publisher, onFailure })
  // The limit of people whom an account asks to become contacts, or writes to without being one (rule MSG-27).
  const requestsPerMinute = config.Limits.Enabled ? config.Limits.ContactRequestsPerMinute : null
  const requests = new RateLimiter<number>(
    clock,
    requestsPerMinute,
    CONTACT_REQUESTS_BURST_SECONDS,
    'too_many_contact_requests',
  )
  const mayFindById = async (userId: number, otherId: number) =>
    config.Conferences.Directory ||
    isAcquainted({ contacts: stores.contacts, conversations }, userId, otherId)
  const messages = new Messages({
    store: stores.messages,
    conversations,
    writer,
    publisher,
    users,
    contacts: stores.contacts,
    findConference,
    findSession: tag => stores.sessions.findOpen(tag),
    limiter: parts.chatLimiter,
    files: parts.chatFiles,
    requests,
    mayFindById,
    onJoined: (tag, userId) => members.joined(tag, userId),
    onRead: refreshConversation,
    onRelationsChanged,
    clock,
  })
  const contacts = new Contacts({
    store: stores.contacts,
    conversations,
    users,
    presences: presence,
    mayFindById,
    requests,
    onRelationsChanged,
    onMuted: (userId, chatId, otherId) => {
      refreshConversation(userId, chatId)
      if (otherId !== null) accounts.refresh(userId, CONTACTS, [String(otherId)])
    },
  })
  const members = new Members({
    store: conversations,
    users,
    contacts: stores.contacts,
    findConference,
    onChanged: refreshConversation,
  })

  accounts.addSource(CONVERSATIONS, new ConversationSource(conversations))
  accounts.addSource(CONTACTS, new ContactSource(stores.contacts, presence))
  domainEvents.subscribe('account-renamed', async ({ user: { id } }) => {
    for (const other of await stores.contacts.whoLists(id)) accounts.refresh(other, CONTACTS, [String(id)])
    for (const partner of await conversations.directPartners(id))
      refreshConversation(partner, directChat(id, partner))
  })

  const sweep = async () => {
    for (let i = 0; i < SWEEP_ROUNDS_MAX && (await conversations.sweep(SWEEP_MESSAGES)); i++);
  }
  /** The notification that a stored message needs now; null: the message does not exist any more. */
  const describeMessage: DescribeMessage = async (chatId, messageId, userId) => {
    const chat = parseChatId(chatId)
    const message = await stores.messages.get(chatId, messageId)
    if (!chat || !message || message.isDeleted) return null
    return publisher.describe({ chat: { ...chat, id: chatId }, message }, userId)
  }
  const onVanished = (userId: number) => parts.vanishedBus.publish(VANISHED_TOPIC, userId)
  const messaging: Messaging = { messages, contacts, members, conversations, presence, onVanished }
  return {
    messaging,
    /** The chats of sessions. */
    chat: sessionChat(stores.chat, writer, publisher),
    /** Where sessions publish their events. */
    events: new AttendanceSink(parts.streams, {
      onJoined: (sessionId, userId) => {
        presence.countParticipant(userId, 1)
        const session = parts.registry.get(sessionId)
        if (session?.chatId === `conference:${session?.tag}`)
          members.joined(session.tag, userId).catch(onFailure)
      },
      onLeft: userId => presence.countParticipant(userId, -1),
    }),
    onConferenceChanged: (tag: string) => {
      members.changed(tag).catch(onFailure)
    },
    onConferenceRemoved: (tag: string) => {
      members.changed(tag).then(sweep).catch(onFailure)
    },
    tick: async () => {
      presence.tick()
      await writer.tick()
    },
    sweep,
    describeMessage,
    /** Permissions to call. */
    permissions: {
      listCallable: stores.contacts.contactsAmong,
      listBlocked: stores.contacts.blockedAmong,
      listMembers: conversations.membersAmong,
    },
  }
}

function composePresence(
  { monotonicMs, domainEvents }: Context,
  { contacts }: UsedStores,
  { accounts, onFailure }: { accounts: ServerStreams['accounts']; onFailure: (error: unknown) => void },
): PresenceRegistry {
  return new PresenceRegistry(monotonicMs, changes => {
    const publish = async () => {
      // Every server knows the presence of all accounts, and publishes it to its own connections.
      for (const { userId, contactId } of await contacts.listOfAll([...changes.keys()])) {
        const body = { user_id: String(userId), presence: changes.get(userId) ?? 'offline' }
        accounts.publishHere(contactId, { name: 'presence.changed', body })
      }
    }
    publish().catch(onFailure)
    for (const [userId, presence] of changes) domainEvents.publish('presence-changed', { userId, presence })
  })
}
