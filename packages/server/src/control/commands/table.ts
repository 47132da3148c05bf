import { CHAT_PAGE_BYTES, type CommandName, isCommandName } from '@lectern/protocol/control'
import { CALL_PAGE_BYTES } from '../../messaging/calls/limits.ts'
import * as chat from '../../sessions/chat.ts'
import { endBySelf } from '../../sessions/lifecycle/ending.ts'
import { admitWaiting, denyWaiting } from '../../sessions/lobby/lobby-commands.ts'
import { setLock } from '../../sessions/moderation/lock.ts'
import * as moderation from '../../sessions/moderation/moderation.ts'
import { mute } from '../../sessions/moderation/mute.ts'
import { readmit, remove } from '../../sessions/moderation/removal.ts'
import { lowerAllHands, update } from '../../sessions/participants/update.ts'
import { startRecording, stopRecording } from '../../sessions/recording/recording.ts'
import { startTranscription, stopTranscription } from '../../sessions/recording/transcription.ts'
import { ENDPOINT_ANSWER_BYTES, MIN_ANSWER_BYTES, SNAPSHOT_ANSWER_BYTES } from '../limits/constants.ts'
import * as board from './board.ts'
import * as calls from './calls.ts'
import type { CommandEntry, Idempotency } from './command.ts'
import * as conference from './conference.ts'
import * as contacts from './contacts.ts'
import * as jobs from './jobs.ts'
import * as lobby from './lobby.ts'
import * as media from './media.ts'
import * as messages from './messages.ts'
import { updateSubscription } from './push.ts'

/** Changes a session durably, at the expense of the sender. */
const committed = {
  status: 'committed',
  access: 'participant',
  idempotency: 'cached',
  notifications: 'limited',
} as const
/** Says how something in a session is to be, for as long as the session lasts. */
const state = { ...committed, idempotency: 'sets-state' } as const
/** Changes a session until it ends or the server stops, at the expense of the sender. */
const applied = { ...committed, status: 'applied' } as const
const onMedia = { status: 'applied', access: 'participant', idempotency: 'sets-state' } as const
const byWorker = { status: 'committed', access: 'worker', idempotency: 'cached' } as const
/** By an account, independent of the conferences of its connection. */
const byAccount = { status: 'committed', access: 'signed-in', idempotency: 'cached' } as const
const readByAccount = { status: 'applied', access: 'signed-in', idempotency: 'repeatable' } as const
const onCall = { ...byAccount, comparesVersion: true } as const
const perConnection = { status: 'applied', access: 'signed-in', idempotency: 'per-connection' } as const

/** Says what an element of the board is to be: a repetition of the same version changes nothing. */
const onPage = { status: 'committed', access: 'participant', idempotency: 'repeatable' } as const
const onDeck = { ...onPage, idempotency: 'sets-state', notifications: 'limited' } as const
const onWatch = { status: 'applied', access: 'member', idempotency: 'repeatable' } as const

/**
 * Every command: who may send it, how a repetition is answered, what it costs and who executes it. A command without an
 * entry does not compile. Target kinds and bodies are in the protocol.
 */
export const commandTable: { readonly [N in CommandName]: CommandEntry<N> } = {
  'conference.join': {
    ...perConnection,
    comparesVersion: true,
    handle: conference.join,
    answerBytes: SNAPSHOT_ANSWER_BYTES,
  },
  'conference.leave': {
    ...perConnection,
    comparesVersion: true,
    handle: conference.leave,
    notifications: 'charged',
  },
  'conference.end': {
    status: 'committed',
    access: 'participant',
    idempotency: 'cached',
    run: endBySelf,
  },
  'conference.set_lock': { ...state, run: setLock },
  'conference.set_permissions': { ...state, run: moderation.setPermissions },
  'conference.set_spotlight': { ...state, run: moderation.setSpotlight },
  'lobby.enter': { ...perConnection, comparesVersion: true, handle: lobby.enterLobby },
  'lobby.leave': { ...perConnection, handle: lobby.leaveLobby },
  'lobby.admit': { ...committed, run: admitWaiting },
  'lobby.deny': { ...applied, run: denyWaiting },
  // Messages have rates of their own (rule K17).
  'chat.send': {
    status: 'committed',
    access: 'participant',
    idempotency: 'cached',
    run: chat.send,
    findStored: chat.findStored,
  },
  'chat.delete': { ...state, run: chat.remove },
  'chat.history': {
    status: 'applied',
    access: 'participant',
    idempotency: 'repeatable',
    run: chat.history,
    answerBytes: CHAT_PAGE_BYTES,
  },
  'chat.set_mode': { ...state, run: chat.setMode },
  'participant.update': { ...state, status: 'applied', run: update },
  'participant.mute': { ...applied, run: mute },
  'participant.set_permissions': { ...state, run: moderation.setPersonPermissions },
  'participant.lower_hands': { ...committed, run: lowerAllHands },
  'participant.remove': { ...committed, run: remove },
  'participant.readmit': { ...committed, run: readmit },
  'board.put': { ...onPage, handle: board.put },
  'board.delete': { ...onPage, handle: board.remove },
  'board.restore': { ...onPage, handle: board.restore },
  'board.move': { ...onPage, handle: board.move },
  'board.page_clear': { ...onPage, handle: board.clear },
  'board.page_add': { ...onDeck, handle: board.onDeck('board.page_add') },
  'board.page_remove': { ...onDeck, handle: board.onDeck('board.page_remove') },
  'board.page_order': { ...onDeck, handle: board.onDeck('board.page_order') },
  'board.page_show': { ...onDeck, handle: board.onDeck('board.page_show') },
  'board.set_rights': { ...onDeck, handle: board.onDeck('board.set_rights') },
  'board.hand_out': { ...onDeck, handle: board.onDeck('board.hand_out') },
  'board.show_copy': { ...onDeck, handle: board.onDeck('board.show_copy') },
  'board.watch': { ...onWatch, handle: board.watch, answerBytes: SNAPSHOT_ANSWER_BYTES },
  'board.unwatch': { ...onWatch, handle: board.unwatch },
  'media.open': { ...onMedia, handle: media.open, answerBytes: ENDPOINT_ANSWER_BYTES },
  'media.receive': { ...onMedia, handle: media.receive },
  'media.restart_ice': { ...onMedia, handle: media.restartIce },
  // A closed endpoint cannot be closed again.
  'media.close': { ...onMedia, idempotency: 'cached', handle: media.close, notifications: 'charged' },
  'media.pause': { ...onMedia, handle: media.pause, notifications: 'charged' },
  'media.resume': { ...onMedia, handle: media.resume, notifications: 'limited' },
  'media.set_layers': { ...onMedia, access: 'member', handle: media.setLayers },
  'media.tap': {
    ...onMedia,
    access: 'observer',
    idempotency: 'cached',
    handle: media.openEgress,
    answerBytes: ENDPOINT_ANSWER_BYTES,
  },
  'media.request_key_frame': {
    ...onMedia,
    access: 'observer',
    idempotency: 'repeatable',
    handle: media.requestKeyFrame,
  },
  'recording.start': { ...committed, run: startRecording },
  'recording.stop': { ...committed, run: stopRecording },
  'transcription.start': { ...committed, run: startTranscription },
  'transcription.stop': { ...committed, run: stopTranscription },
  'message.send': { ...byAccount, checksDeadline: true, handle: messages.send },
  'message.edit': { ...byAccount, handle: messages.edit },
  'message.delete': { ...byAccount, handle: messages.remove },
  'message.list': { ...readByAccount, handle: messages.list, answerBytes: CHAT_PAGE_BYTES },
  'message.read': { ...byAccount, idempotency: 'repeatable', handle: messages.read },
  'conversation.list': { ...readByAccount, handle: messages.listConversations, answerBytes: CHAT_PAGE_BYTES },
  'contact.add': { ...byAccount, handle: contacts.add },
  'contact.remove': { ...byAccount, handle: contacts.remove },
  'contact.list': { ...readByAccount, handle: contacts.list, answerBytes: SNAPSHOT_ANSWER_BYTES },
  'mute.set': { ...byAccount, idempotency: 'sets-state', handle: contacts.setMuted },
  'presence.update': { ...perConnection, idempotency: 'sets-state', handle: contacts.updatePresence },
  'call.invite': { ...byAccount, handle: calls.invite },
  'call.accept': { ...onCall, handle: calls.accept },
  'call.decline': { ...onCall, handle: calls.decline },
  'call.cancel': { ...onCall, handle: calls.cancel },
  'call.leave': { ...onCall, handle: calls.leave },
  'call.get': { ...readByAccount, comparesVersion: true, handle: calls.get },
  'call.list': { ...readByAccount, handle: calls.list, answerBytes: CALL_PAGE_BYTES },
  'call.seen': { ...byAccount, idempotency: 'sets-state', handle: calls.setSeen },
  push_subscription_update: {
    status: 'committed',
    access: 'signed-in',
    idempotency: 'repeatable',
    handle: updateSubscription,
  },
  'job.lease': { ...byWorker, handle: jobs.lease },
  'job.attach': {
    ...byWorker,
    status: 'applied',
    idempotency: 'per-connection',
    handle: jobs.attach,
    answerBytes: SNAPSHOT_ANSWER_BYTES,
  },
  'job.renew': { ...byWorker, idempotency: 'repeatable', handle: jobs.renew },
  'job.progress': { ...byWorker, idempotency: 'sets-state', handle: jobs.progress },
  'job.phrases': { ...byWorker, status: 'applied', idempotency: 'repeatable', handle: jobs.phrases },
  'job.finish': { ...byWorker, handle: jobs.finish },
  'job.state': { ...byWorker, status: 'applied', idempotency: 'repeatable', handle: jobs.state },
  'job.people': {
    ...byWorker,
    status: 'applied',
    idempotency: 'repeatable',
    handle: jobs.people,
    answerBytes: SNAPSHOT_ANSWER_BYTES,
  },
}

/** Unknown names have traits, too: they are refused in the order in which every command is checked. */
export function traitsOf(name: string): { idempotency: Idempotency; answerBytes: number } {
  const entry = isCommandName(name) ? commandTable[name] : undefined
  return { idempotency: entry?.idempotency ?? 'cached', answerBytes: entry?.answerBytes ?? MIN_ANSWER_BYTES }
}
