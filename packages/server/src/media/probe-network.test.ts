import { describe, expect, it } from 'vitest'
import { networkOf } from './probe-network.ts'

describe('networkOf', () => {
  it('returns an IPv4 address unchanged, also an IPv4-mapped one', () => {
    expect(networkOf('203.0.113.7')).toBe('203.0.113.7')
    expect(networkOf('::ffff:203.0.113.7')).toBe(networkOf('::FFFF:203.0.113.7'))
    expect(networkOf('::ffff:203.0.113.7')).not.toBe(networkOf('::ffff:203.0.113.8'))
  })

  it('returns the /64 of an IPv6 address', () => {
    expect(networkOf('2001:db8:0:1::7')).toBe('2001:db8:0:1')
    expect(networkOf('2001:DB8:0:1:ffff:ffff:ffff:ffff')).toBe('2001:db8:0:1')
    expect(networkOf('2001:db8::7')).toBe('2001:db8:0:0')
    expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0')
    expect(networkOf('::1')).toBe('0:0:0:0')
    expect(networkOf('::')).toBe('0:0:0:0')
  })
})
