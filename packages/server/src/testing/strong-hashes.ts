import { onTestFinished, vi } from 'vitest'

/** Passwords are hashed at the cost of a production server until the end of the test (decision 92). */
export function useStrongHashes(): void {
  vi.stubEnv('LECTERN_WEAK_PASSWORD_HASHES', undefined)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
}
