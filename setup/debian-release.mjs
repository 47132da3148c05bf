import { readFileSync } from 'node:fs'

/** The release of this Debian, such as "12", or null on another system. */
export const debianRelease = readRelease()

/** @returns {string | null} */
function readRelease() {
  try {
    const text = readFileSync('/etc/os-release', 'utf8')
    return /^ID=debian$/m.test(text) ? (text.match(/^VERSION_ID="?(\d+)/m)?.[1] ?? 'unstable') : null
  } catch {
    return null // no such file: not Linux
  }
}
