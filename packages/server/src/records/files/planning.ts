import { ensure, type ParticipantUploadMetadata } from '@lectern/protocol'
import { parseChatId } from '@lectern/protocol/control'
import type { Static } from 'typebox'
import type { User } from '../../accounts/ports.ts'
import type { FileMembers, NewFile } from '../ports.ts'
import { ensureMayUpload } from './policy.ts'

/** The place and the owner of a file. */
type Place = Pick<NewFile, 'conferenceTag' | 'sessionId' | 'displayName' | 'chatId'>

/** The place to which the account may upload such a file. Throws `invalid_argument`, and the refusal of the place. */
export async function findPlace(
  members: FileMembers,
  user: User,
  { conference, chat_id, purpose }: Static<typeof ParticipantUploadMetadata>,
): Promise<Place> {
  const isOne = (conference === undefined) !== (chat_id === undefined)
  ensure(isOne, 'invalid_argument', 'Send conference or chat_id.')
  if (chat_id !== undefined) {
    ensure(
      purpose === 'chat_file',
      'invalid_argument',
      'A conversation has files of the purpose chat_file only.',
    )
    await members.assertMaySendTo(user, chat_id)
    const chat = parseChatId(chat_id)
    const conferenceTag = chat?.kind === 'conference' ? chat.tag : ''
    return { conferenceTag, sessionId: 0, displayName: user.displayName, chatId: chat_id }
  }
  const inside = conference === undefined ? null : await members.findInside(conference, user.id)
  ensure(conference !== undefined && inside, 'permission_denied', 'Join the conference first.')
  ensureMayUpload(inside, purpose)
  const { sessionId, displayName } = inside
  const chatId = purpose === 'chat_file' ? inside.chatId : null
  return { conferenceTag: conference, sessionId, displayName, chatId }
}
