import { Type } from 'typebox'

/** A job id or a tag in a path. */
export const Id = Type.String({ minLength: 1, maxLength: 128, format: 'text' })

/** The name of a service account in a path. */
export const NameParams = Type.Object({ name: Type.String({ minLength: 1, maxLength: 255, format: 'text' }) })
