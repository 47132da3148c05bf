import { describe, expect, it } from 'vitest'
import { networksOf } from './networks.ts'

describe('the networks of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', null],
    ['::ffff:203.0.113.7', '203.0.113.7', null],
    ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
    ['203.0.113.7:50123', '203.0.113.7', null],
    ['[2001:db8:1:2::5]:50123', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8:1:2:3:4:5:50', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['unknown', 'unknown', null],
  ])('%s', (address, narrow, wide) => {
    expect(networksOf(address)).toEqual({ narrow, wide })
  })
})
