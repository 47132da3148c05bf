import { SetupError } from '../run.mjs'

const NEEDED = [20, 19] // required by Vite

/** Throws if this version of Node is too old. */
export function checkNodeVersion() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return
  throw new SetupError(`Lectern needs Node ${NEEDED.join('.')} or newer; this is ${process.version}.`)
}
