/** Random mutations of a frame, as in the fuzz tests of packages/protocol, for real sockets. */

type Random = () => number

const ODD_VALUES = [
  'null',
  'true',
  '-1',
  '1e999',
  '9007199254740993',
  '""',
  '"\\ud800"',
  '"18446744073709551616"',
  '[]',
  '{}',
  `${'['.repeat(70)}${']'.repeat(70)}`,
  '{"__proto__":{}}',
  `"${'x'.repeat(5000)}"`,
]
const MARKS = ['{', '}', '[', ']', ',', ':', '"', '\\', '\u0000', ' ', '1', 'é', '\ufeff']

const below = (random: Random, limit: number) => Math.floor(random() * limit)
const pick = <T>(random: Random, list: readonly T[]) => list[below(random, list.length)] as T

/** Replaces a random match of the pattern. */
function replaceAny(
  text: string,
  pattern: RegExp,
  replacement: string | ((found: string) => string),
  random: Random,
) {
  const matches = [...text.matchAll(pattern)]
  if (matches.length === 0) return text
  const { 0: found, index } = pick(random, matches)
  const put = typeof replacement === 'string' ? replacement : replacement(found)
  return text.slice(0, index) + put + text.slice(index + found.length)
}

const KEY = /"(?:[^"\\]|\\.)*":/g
const VALUE = /(?<=[:[,])(?:"(?:[^"\\]|\\.)*"|-?\d+|true|false)(?=[,}\]])/g

const swapValue = (text: string, random: Random) => replaceAny(text, VALUE, pick(random, ODD_VALUES), random)

const mutations: ((text: string, random: Random) => string | Buffer)[] = [
  flipBits,
  (text, random) => text.slice(0, below(random, text.length)),
  insertMark,
  cut,
  (text, random) => replaceAny(text, KEY, key => `${key}${pick(random, ODD_VALUES)},${key}`, random),
  (text, random) => replaceAny(text, KEY, pick(random, ['"x":', '"__proto__":', '"binding":']), random),
  swapValue,
  swapValue,
  swapValue,
  swapValue,
]

/** Above max_frame_bytes, and above the limit of the WebSocket transport. */
const TOO_LONG = [300_000, 600_000]

/** Applies one or two mutations; the result may be invalid UTF-8, or still a valid frame. */
export function mutate(text: string, random: Random): string | Buffer {
  if (random() < 0.005) return text.replace('{', `{"x":"${'x'.repeat(pick(random, TOO_LONG))}",`)
  let mutated: string | Buffer = text
  for (let left = 1 + below(random, 2); left > 0 && typeof mutated === 'string'; left--)
    mutated = pick(random, mutations)(mutated, random)
  return mutated
}

function flipBits(text: string, random: Random): Buffer {
  const bytes = Buffer.from(text)
  const at = below(random, bytes.length)
  if (bytes.length > 0) bytes[at] = (bytes[at] as number) ^ (1 << below(random, 8))
  return bytes
}

function insertMark(text: string, random: Random): string {
  const at = below(random, text.length + 1)
  return text.slice(0, at) + pick(random, MARKS) + text.slice(at)
}

function cut(text: string, random: Random): string {
  const at = below(random, text.length + 1)
  return text.slice(0, at) + text.slice(at + 1 + below(random, 20))
}
