import { randomInt } from 'node:crypto'

// 31 characters that are not confused when read aloud or copied manually.
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'
const GROUPS = [4, 5, 4]

/** A conference tag such as `k7mq-x2wd9-rtnh`: 64 random bits, so that it cannot be guessed. */
export function makeTag(): string {
  const character = () => ALPHABET[randomInt(ALPHABET.length)]
  return GROUPS.map(length => Array.from({ length }, character).join('')).join('-')
}

export const TAG = /^[2-9a-hjkmnp-z]{4}-[2-9a-hjkmnp-z]{5}-[2-9a-hjkmnp-z]{4}$/
