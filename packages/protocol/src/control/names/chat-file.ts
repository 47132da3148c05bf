import { type Static, Type } from 'typebox'
import { FILE_NAME_MAX } from '../../files.ts'
import { Id, strict } from '../scalars.ts'

export const FileId = Type.String({
  ...Id,
  description: 'An own file that was uploaded for this chat and belongs to no other message.',
})

/** A file of a message, downloaded from `/api/v1.0/files/{file_id}/content` (docs/slides.md). */
export const ChatFile = Type.Object(
  {
    file_id: Id,
    name: Type.String({ minLength: 1, maxLength: FILE_NAME_MAX, description: 'As its sender named it.' }),
    content_type: Type.String({ maxLength: 100, description: 'By content, not by name.' }),
    size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
  },
  { ...strict, description: 'Absent: the message has no file.' },
)
export type ChatFile = Static<typeof ChatFile>
