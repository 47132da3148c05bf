import { type Static, Type } from 'typebox'
import { Id, strict } from '../scalars.ts'
import { Binding, Cursor } from '../shared.ts'

export const CURSORS_MAX = 1024

export const ResumeToken = Type.String({
  minLength: 32,
  maxLength: 4096,
  description: 'An opaque secret issued by the server.',
})

export const Resume = Type.Object(
  { binding: Binding, resume_token: ResumeToken, previous_request_id: Type.Optional(Id) },
  { ...strict, description: 'Proves that this is the connection that was lost.' },
)
export type Resume = Static<typeof Resume>

const common = { request_id: Id, control_instance_id: Id }
const Cursors = Type.Array(Cursor, { maxItems: CURSORS_MAX })

/** Rule ENV-2. */
export const ControlSync = Type.Union(
  [
    Type.Object(
      { ...common, mode: Type.Literal('fresh'), cursors: Type.Array(Cursor, { maxItems: 0 }) },
      strict,
    ),
    Type.Object({ ...common, mode: Type.Literal('resume'), cursors: Cursors, resume: Resume }, strict),
    Type.Object({ ...common, mode: Type.Literal('resync'), cursors: Cursors, binding: Binding }, strict),
  ],
  {
    description: 'Requests state: all of it (fresh), what was missed (resume), or again (resync).',
  },
)
export type ControlSync = Static<typeof ControlSync>
