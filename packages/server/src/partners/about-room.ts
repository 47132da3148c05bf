import { createHash } from 'node:crypto'

/** What the fingerprint begins with of requests about a room, or one person of it: their answers are deleted with them. */
export function aboutRoom(clientId: number, externalId: string, person?: string): string {
  const short = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)
  return `${short(`${clientId} ${externalId}`)}.${person === undefined ? '' : `${short(person)}.`}`
}
