import type { CommandBody, ImplementedCommand } from '@lectern/protocol/control'
import * as chat from './chat.ts'
import type { CommandContext } from './command-context.ts'
import { type Conditions, unmet } from './conditions.ts'
import { endBySelf } from './ending.ts'
import { admitWaiting, denyWaiting } from './lobby-commands.ts'
import { setLock } from './lock.ts'
import { mute } from './mute.ts'
import { startRecording, stopRecording } from './recording.ts'
import { ConferenceRefusal } from './refusals.ts'
import { readmit, remove } from './removal.ts'
import { startTranscription, stopTranscription } from './transcription.ts'
import { update } from './update.ts'

type Handler<N extends ImplementedCommand> = (context: CommandContext, body: CommandBody<N>) => unknown

/** What somebody who is inside may ask for, and who does it. */
const handlers = {
  'conference.end': endBySelf,
  'conference.set_lock': setLock,
  'lobby.admit': admitWaiting,
  'lobby.deny': denyWaiting,
  'chat.send': chat.send,
  'chat.history': chat.history,
  'chat.set_mode': chat.setMode,
  'participant.update': update,
  'participant.mute': mute,
  'participant.remove': remove,
  'participant.readmit': readmit,
  'recording.start': startRecording,
  'recording.stop': stopRecording,
  'transcription.start': startTranscription,
  'transcription.stop': stopTranscription,
} satisfies { [N in ImplementedCommand]?: Handler<N> }

export type SessionCommand = keyof typeof handlers
export type Answer<N extends SessionCommand> = Awaited<ReturnType<(typeof handlers)[N]>>

export interface SessionCommandOf<N extends SessionCommand> extends Conditions {
  /** Names this command among those of the same person; a repetition has the same. */
  id: string
  name: N
  body: CommandBody<N>
}

export async function carryOut<N extends SessionCommand>(
  context: CommandContext,
  command: SessionCommandOf<N>,
): Promise<Answer<N>> {
  const { name, body } = command
  const reason = unmet(context.deps, context.session.version, command)
  // A message that is stored is past all conditions: its repetition only asks for the answer.
  if (reason && !(name === 'chat.send' && (await chat.isStored(context)))) throw new ConferenceRefusal(reason)
  // TypeScript cannot see that the handler and the body are of the same command.
  const handle = handlers[name] as unknown as (context: CommandContext, body: CommandBody<N>) => Answer<N>
  return handle(context, body)
}
