import type { ChatMessage } from '@lectern/protocol/control/client'
import type { ChatAuthor } from './chat-author.ts'

/**
 * Checks the whole history of a lesson: every acknowledged message is there exactly once, in the order in which its author
 * sent it, and nothing else is. `history` is newest first. Returns what is wrong.
 */
export async function checkHistory(
  authors: readonly ChatAuthor[],
  history: AsyncIterable<ChatMessage>,
): Promise<string[]> {
  const mistakes: string[] = []
  const seen = new Map(authors.map(author => [author.name, { author, found: 0, newest: Infinity }]))
  for await (const { text } of history) {
    const at = text.lastIndexOf(' ')
    const number = Number(text.slice(at + 1))
    const own = seen.get(text.slice(0, at))
    if (!own || !(own.author.acknowledged.has(number) || own.author.unknown.has(number))) {
      mistakes.push(`"${text}" was never sent`)
      continue
    }
    if (number === own.newest) mistakes.push(`"${text}" is there twice`)
    if (number > own.newest) mistakes.push(`"${text}" is older than number ${own.newest}`)
    own.newest = number
    if (own.author.acknowledged.has(number)) own.found += 1
  }
  for (const { author, found } of seen.values())
    if (found !== author.acknowledged.size)
      mistakes.push(`${found} of ${author.acknowledged.size} messages of ${author.name} are stored`)
  return mistakes
}
