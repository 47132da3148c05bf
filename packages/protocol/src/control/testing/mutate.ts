import type { RandomChoices } from '@lectern/common/testing'

/** Random mutations of a frame. Some leave it valid; the fuzz test compares two validators. */
type Mutation = (text: string, random: RandomChoices) => string | Uint8Array

const ODD_VALUES = [
  'null',
  'true',
  '0',
  '-1',
  '1e999',
  '9007199254740993',
  '""',
  '"\\ud800"',
  '"\u2028"',
  '"18446744073709551616"',
  '[]',
  '{}',
  '[[[]]]',
  `${'['.repeat(70)}${']'.repeat(70)}`,
  '{"__proto__":{}}',
  `"${'x'.repeat(5000)}"`,
]
const MARKS = ['{', '}', '[', ']', ',', ':', '"', '\\', '\u0000', '\ud800', ' ', '1', 'é', '\ufeff']

const mutations: Mutation[] = [
  flipBits,
  truncate,
  (text, { below }) => text.slice(below(text.length)),
  insertMark,
  deleteSlice,
  doubleSlice,
  doubleKey,
  renameKey,
  swapValue,
  swapValue,
  swapValue,
  text => text + text,
]

/** Applies one to three mutations; the last one may produce invalid UTF-8. */
export function mutate(text: string, random: RandomChoices): string | Uint8Array {
  let mutated: string | Uint8Array = text
  for (let left = 1 + random.below(3); left > 0 && typeof mutated === 'string'; left--)
    mutated = random.pick(mutations)(mutated, random)
  return mutated
}

function flipBits(text: string, { below }: RandomChoices): Uint8Array {
  const bytes = new TextEncoder().encode(text)
  for (let flips = 1 + below(4); flips > 0 && bytes.length > 0; flips--) {
    const at = below(bytes.length)
    bytes[at] = (bytes[at] as number) ^ (1 << below(8))
  }
  return bytes
}

function truncate(text: string, { below }: RandomChoices): string {
  return text.slice(0, below(text.length + 1))
}

function insertMark(text: string, { below, pick }: RandomChoices): string {
  const at = below(text.length + 1)
  return text.slice(0, at) + pick(MARKS) + text.slice(at)
}

function deleteSlice(text: string, { below }: RandomChoices): string {
  const at = below(text.length + 1)
  return text.slice(0, at) + text.slice(at + 1 + below(20))
}

function doubleSlice(text: string, { below }: RandomChoices): string {
  const at = below(text.length + 1)
  const end = at + 1 + below(40)
  return text.slice(0, end) + text.slice(at)
}

/** Duplicates a key with another value. */
function doubleKey(text: string, random: RandomChoices): string {
  const key = anyKey(text, random)
  return key
    ? `${text.slice(0, key.index)}${key[0]}${random.pick(ODD_VALUES)},${text.slice(key.index)}`
    : text
}

function renameKey(text: string, random: RandomChoices): string {
  const key = anyKey(text, random)
  const name = random.pick(['"x":', '"__proto__":', '"toString":', '"":', '"control_sync":', '"binding":'])
  return key ? text.slice(0, key.index) + name + text.slice(key.index + key[0].length) : text
}

/** Replaces a string or a number. */
function swapValue(text: string, random: RandomChoices): string {
  const values = [...text.matchAll(/(?<=[:[,])(?:"(?:[^"\\]|\\.)*"|-?\d+)(?=[,}\]])/g)]
  if (values.length === 0) return text
  const value = random.pick(values)
  return text.slice(0, value.index) + random.pick(ODD_VALUES) + text.slice(value.index + value[0].length)
}

function anyKey(text: string, { pick }: RandomChoices) {
  const keys = [...text.matchAll(/"(?:[^"\\]|\\.)*":/g)]
  return keys.length > 0 ? pick(keys) : undefined
}
