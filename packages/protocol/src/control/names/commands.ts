import type { TargetKind } from '../shared.ts'

/**
 * All commands with their target kinds (docs/control-commands.md#commands). The id of a conference is its tag,
 * of a session its conference_session_id, of an account its user_id, of a job its job_id; job.lease has the kind of
 * jobs as its id. bodies.ts defines the bodies.
 */
export const commands = {
  'conference.join': ['conference'],
  'conference.leave': ['conference'],
  'conference.end': ['conference'],
  'conference.set_lock': ['conference'],
  'conference.set_permissions': ['conference'],
  'conference.set_spotlight': ['conference'],

  'lobby.enter': ['conference'],
  'lobby.leave': ['conference'],
  'lobby.admit': ['conference_session'],
  'lobby.deny': ['conference_session'],

  'chat.send': ['conference_session'],
  'chat.delete': ['conference_session'],
  'chat.history': ['conference_session'],
  'chat.set_mode': ['conference_session'],

  'participant.update': ['conference_session'],
  'participant.mute': ['conference_session'],
  'participant.set_permissions': ['conference_session'],
  'participant.lower_hands': ['conference_session'],
  'participant.remove': ['conference_session'],
  'participant.readmit': ['conference_session'],

  'board.put': ['conference_session'],
  'board.delete': ['conference_session'],
  'board.restore': ['conference_session'],
  'board.move': ['conference_session'],
  'board.page_add': ['conference_session'],
  'board.page_remove': ['conference_session'],
  'board.page_order': ['conference_session'],
  'board.page_show': ['conference_session'],
  'board.page_clear': ['conference_session'],
  'board.set_rights': ['conference_session'],
  'board.hand_out': ['conference_session'],
  'board.show_copy': ['conference_session'],
  'board.watch': ['conference_session'],
  'board.unwatch': ['conference_session'],

  'media.open': ['conference_session'],
  'media.receive': ['conference_session'],
  'media.restart_ice': ['conference_session'],
  'media.close': ['conference_session'],
  'media.pause': ['conference_session'],
  'media.resume': ['conference_session'],
  'media.set_layers': ['conference_session'],
  'media.tap': ['conference_session'],
  'media.request_key_frame': ['conference_session'],

  'recording.start': ['conference_session'],
  'recording.stop': ['conference_session'],
  'transcription.start': ['conference_session'],
  'transcription.stop': ['conference_session'],

  'message.send': ['chat'],
  'message.edit': ['chat'],
  'message.delete': ['chat'],
  'message.list': ['chat'],
  'message.read': ['chat'],
  'conversation.list': ['account'],

  'contact.add': ['account'],
  'contact.remove': ['account'],
  'contact.list': ['account'],
  'mute.set': ['account'],
  'presence.update': ['account'],
  push_subscription_update: ['account'],

  'call.invite': ['conference', 'operation'],
  'call.accept': ['conference', 'operation'],
  'call.decline': ['conference', 'operation'],
  'call.cancel': ['conference', 'operation'],
  'call.leave': ['conference', 'operation'],
  'call.get': ['operation'],
  'call.list': ['account'],
  'call.seen': ['account'],

  'job.lease': ['operation'],
  'job.attach': ['operation'],
  'job.renew': ['operation'],
  'job.progress': ['operation'],
  'job.phrases': ['operation'],
  'job.finish': ['operation'],
  'job.state': ['operation'],
  'job.people': ['operation'],
} as const satisfies Record<string, readonly TargetKind[]>

export type CommandName = keyof typeof commands

export const isCommandName = (name: string): name is CommandName => Object.hasOwn(commands, name)

/** Whether a command accepts targets of this kind. */
export const acceptsTarget = (name: CommandName, kind: TargetKind): boolean =>
  (commands[name] as readonly TargetKind[]).includes(kind)
