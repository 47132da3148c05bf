import type { ChatFile, JsonObject } from '@lectern/protocol/control'
import type { LogLine } from '../session/log-reader.ts'

export interface ListedFile extends ChatFile {
  message_id: string
  user_id: string
  sent_at_ms: number
}

interface ListedMessage {
  message_id: string
  user_id: string
  sent_at_ms: number
  file?: ChatFile
  deleted?: boolean
}

const FILES_MAX = 500

/** A chat message in a recording, without its text: texts are not copied. */
export function withoutText(body: JsonObject): JsonObject {
  const { message_id = '', user_id = '', sent_at_ms = 0, file, deleted } = (body.message ?? {}) as JsonObject
  return {
    message: {
      message_id,
      user_id,
      sent_at_ms,
      ...(file !== undefined && { file }),
      ...(deleted === true && { deleted }),
    },
  }
}

/** The files that were sent in the chat and whose messages were not deleted, of an event log; at most 500. */
export function chatFilesOf(lines: Iterable<LogLine>): ListedFile[] {
  const files = new Map<string, ListedFile>()
  for (const { name, body } of lines) {
    if (name !== 'chat.message' && name !== 'chat.message_changed') continue
    const { message_id, user_id, sent_at_ms, file, deleted } = body.message as unknown as ListedMessage
    if (deleted) files.delete(message_id)
    else if (file && files.size < FILES_MAX)
      files.set(message_id, { ...file, message_id, user_id, sent_at_ms })
  }
  return [...files.values()]
}
