import { randomBytes } from 'node:crypto'

/** An id that nobody can guess and nobody else makes, of the form that ids have (docs/control-protocol.md#envelopes). */
export const newId = (prefix: string) => `${prefix}.${randomBytes(12).toString('hex')}`
