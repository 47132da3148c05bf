import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

interface Cost {
  log2N: number
  r: number
  p: number
}

// 32 MiB and about 0.1 s each, on the four threads of libuv: callers MUST limit the concurrency.
const COST: Cost = { log2N: 15, r: 8, p: 3 }
const HASH_BYTES = 32

/** For tests (decision 92): a quarter of their CPU time would be spent on hashes. The server warns at its start. */
const WEAK_COST: Cost = { log2N: 4, r: 8, p: 1 }
/** Whether new passwords get the weak hashes of tests. */
export const hashesAreWeak = () => process.env.LECTERN_WEAK_PASSWORD_HASHES === '1'
const currentCost = () => (hashesAreWeak() ? WEAK_COST : COST)

/** A memory-hard hash in the PHC string form: `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const { log2N, r, p } = currentCost()
  const hash = await run(password, salt, { log2N, r, p })
  return `$scrypt$ln=${log2N},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

/** Compares in constant time. Without a hash it returns false after the same time, so that timing reveals no account. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const match = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/.exec(stored ?? '')
  if (!match) {
    await run(password, randomBytes(16), currentCost())
    return false
  }
  const [, log2N, r, p, salt, hash] = match as unknown as [string, string, string, string, string, string]
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) }
  const actual = await run(password, Buffer.from(salt, 'base64url'), cost)
  return timingSafeEqual(actual, Buffer.from(hash, 'base64url'))
}

function run(password: string, salt: Buffer, { log2N, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** log2N
  // Systems differ in whether they send composed or decomposed characters.
  return derive(password.normalize('NFKC'), salt, HASH_BYTES, { N, r, p, maxmem: 256 * N * r })
}
