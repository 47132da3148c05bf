import { monitorEventLoopDelay } from 'node:perf_hooks'
import { beforeEach, describe, expect, it } from 'vitest'
import { useStrongHashes } from '../testing/strong-hashes.ts'
import { hashPassword, verifyPassword } from './passwords.ts'

beforeEach(useStrongHashes)

describe('hashPassword', () => {
  it('returns a salted scrypt hash in PHC form', async () => {
    const [one, two] = [await hashPassword('secret'), await hashPassword('secret')]
    expect(one).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w-]{22}\$[\w-]{43}$/)
    expect(one).not.toBe(two)
    expect(await verifyPassword('secret', one)).toBe(true)
    expect(await verifyPassword('Secret', one)).toBe(false)
  })

  it('does not block the event loop', async () => {
    await hashPassword('warm up')
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    await Promise.all(['a', 'b', 'c', 'd'].map(hashPassword))
    delay.disable()
    // The median, because a busy machine may delay any single turn of the event loop.
    expect(delay.percentile(50) / 1e6).toBeLessThan(50)
  })
})

describe('verifyPassword', () => {
  it('accepts hashes of another cost', async () => {
    // RFC 7914 §12, the second vector, truncated to 32 bytes.
    const hash = Buffer.from('fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162', 'hex')
    const stored = `$scrypt$ln=10,r=8,p=16$${Buffer.from('NaCl').toString('base64url')}$${hash.toString('base64url')}`
    expect(await verifyPassword('password', stored)).toBe(true)
  })

  it('returns false for a missing or malformed hash, after as much work', async () => {
    const stored = await hashPassword('secret')
    /**
     * Microseconds of processor time that a check takes. Tests in other threads count, too, so the usual work is the
     * least of several.
     */
    const workOf = async (hash: string | null) => {
      const before = process.cpuUsage()
      expect(await verifyPassword('wrong', hash)).toBe(false)
      return process.cpuUsage(before).user
    }
    const samples: number[] = []
    for (let i = 0; i < 5; i++) samples.push(await workOf(stored))
    const usual = Math.min(...samples)
    for (const hash of [null, '', '$2b$10$abc', 'plain'])
      expect(await workOf(hash)).toBeGreaterThan(usual / 3)
  })
})
