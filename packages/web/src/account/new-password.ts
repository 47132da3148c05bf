/** The rules of the server (docs/http-api.md#your-password). */
const MIN_LENGTH = 8
const MAX_LENGTH = 1024

export type NewPasswordError = 'short' | 'long' | 'different'

/** The problem of a password that the user chooses and repeats; null: none. Lengths count characters. */
export function checkNewPassword(password: string, repeated: string): NewPasswordError | null {
  const length = Array.from(password).length
  if (length < MIN_LENGTH) return 'short'
  if (length > MAX_LENGTH) return 'long'
  return password === repeated ? null : 'different'
}
