import { CAPABILITIES, type Capability, DISPLAY_NAME_MAX, SCOPES } from '@lectern/protocol'

/** A wish of the operator that cannot be met, told in one line. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

export function checkName(name: string): string {
  const length = Array.from(name.trim()).length
  if (length < 1 || length > DISPLAY_NAME_MAX)
    throw new OperatorError(`A name has 1 to ${DISPLAY_NAME_MAX} characters.`)
  return name.trim()
}

export function checkPassword(password: string): string {
  if (password.length < 8 || password.length > 1024)
    throw new OperatorError('A password has 8 to 1024 characters.')
  return password
}

export function checkCapabilities(names: string[]): Capability[] {
  return checkWords(names, CAPABILITIES, 'capability')
}

export function checkScopes(names: string[]): string[] {
  if (names.length === 0) throw new OperatorError(`Give at least one scope: ${SCOPES.join(', ')}.`)
  return checkWords(names, SCOPES, 'scope')
}

function checkWords<T extends string>(names: string[], known: readonly T[], what: string): T[] {
  return [...new Set(names)].map(name => {
    const found = known.find(each => each === name)
    if (!found) throw new OperatorError(`Unknown ${what} "${name}"; known: ${known.join(', ')}.`)
    return found
  })
}
