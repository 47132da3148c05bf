import {
  CAPABILITIES,
  type Capability,
  cleanDisplayName,
  DISPLAY_NAME_MAX,
  type ErrorCode,
  Refusal,
  SCOPES,
} from '@lectern/protocol'
import { isMailAddress } from '../../accounts/email.ts'

/** An invalid request of the operator or an administrator; the message is one line. The code is for HTTP. */
export class OperatorError extends Refusal {
  override name = 'OperatorError'

  constructor(message: string, code: ErrorCode = 'invalid_argument') {
    super(code, message)
  }
}

const LOGIN = /^[a-z0-9][a-z0-9._@+-]{0,63}$/

/** Returns the login in lower case. */
export function checkLogin(login: string): string {
  const normal = login.toLowerCase()
  if (!LOGIN.test(normal))
    throw new OperatorError(`Invalid login "${normal}": use letters, digits and . _ @ + -`)
  return normal
}

/** It is a part of addresses, in which clients rewrite `.` and `..`. */
const SERVICE_ACCOUNT = /^(?!\.{1,2}$)[^\s\p{Cc}\p{Cf}\p{Cs}]{1,255}$/u

export function checkServiceAccountName(name: string): void {
  if (!SERVICE_ACCOUNT.test(name))
    throw new OperatorError(
      'The name of a service account must be 1 to 255 characters without spaces and invisible ones, and neither "." nor "..".',
    )
}

export function checkName(name: string): string {
  const clean = cleanDisplayName(name)
  if (clean === '' || Array.from(clean).length > DISPLAY_NAME_MAX)
    throw new OperatorError(`A name must have 1 to ${DISPLAY_NAME_MAX} characters, and one that is visible.`)
  return clean
}

export function checkEmail(email: string): string {
  if (!isMailAddress(email)) throw new OperatorError(`${email} is no mail address.`)
  return email.toLowerCase()
}

export function checkPassword(password: string): string {
  const { length } = Array.from(password) // as the schemas count
  if (length < 8 || length > 1024) throw new OperatorError('A password must have 8 to 1024 characters.')
  return password
}

export function checkCapabilities(names: string[]): Capability[] {
  return checkNames(names, CAPABILITIES, 'capability')
}

export function checkScopes(names: string[]): string[] {
  if (names.length === 0) throw new OperatorError(`Specify at least one scope: ${SCOPES.join(', ')}.`)
  return checkNames(names, SCOPES, 'scope')
}

function checkNames<T extends string>(names: string[], known: readonly T[], noun: string): T[] {
  return [...new Set(names)].map(name => {
    const found = known.find(each => each === name)
    if (!found) throw new OperatorError(`Unknown ${noun} "${name}"; known: ${known.join(', ')}.`)
    return found
  })
}
