import { setImmediate } from 'node:timers/promises'

/** The length that is searched at once, in a few milliseconds: other work runs in between. */
const SLICE_CHARACTERS = 1 << 20

const HASH_BASE = 0x01000193
const BUCKETS = 1 << 16
/** The upper half of a hash has more of each character. */
const bucketOf = (hash: number) => hash >>> 16

/**
 * The first positions of the passages, all of one length, in a text of many megabytes: found in one pass with a rolling
 * hash (Rabin-Karp). A search for each of a hundred would block the process for a second.
 */
export async function firstOccurrences(
  passages: string[],
  length: number,
  text: string,
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  const missing = new Set(passages)
  const missingIn = new Uint16Array(BUCKETS)
  const count = (bucket: number, by: number) => {
    missingIn[bucket] = (missingIn[bucket] ?? 0) + by
  }
  for (const passage of missing) count(bucketOf(hashOf(passage)), 1)
  let outgoing = 1
  for (let i = 0; i < length; i++) outgoing = Math.imul(outgoing, HASH_BASE)

  const search = (slice: string, offset: number) => {
    let hash = hashOf(slice.slice(0, length))
    for (let at = 0; at + length <= slice.length; at++) {
      if (missingIn[bucketOf(hash)]) {
        const passage = slice.slice(at, at + length)
        if (missing.delete(passage)) {
          found.set(passage, offset + at)
          count(bucketOf(hash), -1)
        }
      }
      hash = (next(hash, slice.charCodeAt(at + length)) - Math.imul(slice.charCodeAt(at), outgoing)) | 0
    }
  }
  for (let from = 0; from < text.length && missing.size > 0; from += SLICE_CHARACTERS) {
    if (from > 0) await setImmediate()
    search(text.slice(from, from + SLICE_CHARACTERS + length - 1), from)
  }
  return found
}

const next = (hash: number, code: number) => (Math.imul(hash, HASH_BASE) + code) | 0

function hashOf(text: string): number {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = next(hash, text.charCodeAt(at))
  return hash
}
