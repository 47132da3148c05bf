import { hash } from 'node:crypto'

/** 72 bits of a text in 12 characters, for texts that nobody chooses to collide. */
export const shortDigest = (text: string): string => hash('sha256', text, 'base64url').slice(0, 12)
