import { createHash, randomBytes } from 'node:crypto'

export const makeSecret = (): string => randomBytes(32).toString('base64url')

/** An unsalted hash is sufficient for 256 random bits. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url')
