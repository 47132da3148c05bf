import { setFlagsFromString } from 'node:v8'

/**
 * Lets V8's young generation grow, which bin/lectern.js prevents during the start, and in one step to its full 16 MB: with
 * steps of two it takes minutes of full load, in which every request is paid for with more garbage collections
 * (decision 48). V8 shrinks it again when the server is idle.
 */
export function growYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=16')
}
