import { randomInt } from 'node:crypto'

// 31 characters that cannot be mistaken for one another when read aloud or copied by hand.
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'
const GROUPS = [4, 5, 4]

/** A conference tag such as `k7mq-x2wd9-rtnh`: 64 random bits, so that nobody finds a room by guessing. */
export function makeTag(): string {
  const letter = () => ALPHABET[randomInt(ALPHABET.length)]
  return GROUPS.map(length => Array.from({ length }, letter).join('')).join('-')
}

export const TAG = /^[2-9a-hjkmnp-z]{4}-[2-9a-hjkmnp-z]{5}-[2-9a-hjkmnp-z]{4}$/
