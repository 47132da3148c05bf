import { Result } from '@lectern/protocol'
import { Type } from 'typebox'
import { docs } from '../../http/openapi.ts'

/** The documentation of a route of the administration API. */
export const about = docs('Administration')

/** The response of an action that returns nothing. */
export const Done = Type.Object({ result: Result })

/** A job id or a tag in a path. */
export const Id = Type.String({ minLength: 1, maxLength: 128, format: 'text' })

/** The name of a service account in a path. */
export const NameParams = Type.Object({ name: Type.String({ minLength: 1, maxLength: 255, format: 'text' }) })
