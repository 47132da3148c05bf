import type { NetworkInterfaceInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import { announcedAddress, mediaHostAddress, mediaPipeAddress } from './address.ts'
import { loadConfig } from './config/index.ts'

const at = (address: string, internal = false) =>
  ({ address, internal, family: address.includes(':') ? 'IPv6' : 'IPv4' }) as NetworkInterfaceInfo

const lo = [at('127.0.0.1', true), at('::1', true)]
const ON = { SVC_MEDIA_LISTEN_ON_HOST_ADDRESS: '1' }

const chosen = (interfaces: NetworkInterfaceInfo[], env: Record<string, string> = ON) =>
  mediaHostAddress(loadConfig(undefined, env), { lo, eth0: interfaces })

describe('the host address of media', () => {
  it('is the first IPv4 address, else an IPv6 one, never a link-local one', () => {
    expect(chosen([at('fd00::2'), at('10.0.0.2'), at('10.0.0.3')])).toBe('10.0.0.2')
    expect(chosen([at('169.254.7.7'), at('fe80::1'), at('fd00::2')])).toBe('fd00::2')
  })

  it('is null on a machine without a network', () => {
    expect(chosen([])).toBeNull()
    expect(chosen([at('169.254.7.7')])).toBeNull()
  })

  it.each<[string, Record<string, string>]>([
    ['it is turned off', {}],
    ['ListenIp is no loopback address', { ...ON, SVC_MEDIA_LISTEN_IP: '0.0.0.0' }],
    ['another address is announced', { ...ON, SVC_MEDIA_ANNOUNCED_ADDRESS: '203.0.113.7' }],
  ])('is not used where %s', (_, env) => {
    expect(chosen([at('10.0.0.2')], env)).toBeNull()
  })
})

describe('the announced address', () => {
  const announced = (env: Record<string, string>, interfaces = [at('10.0.0.2')]) =>
    announcedAddress(loadConfig(undefined, env), { lo, eth0: interfaces })

  it('is the configured one, else one of the machine where workers listen on all', () => {
    const all = { SVC_MEDIA_LISTEN_IP: '0.0.0.0' }
    expect(announced({ ...all, SVC_MEDIA_ANNOUNCED_ADDRESS: '203.0.113.7' })).toBe('203.0.113.7')
    expect(announced(all)).toBe('10.0.0.2')
    expect(announced(all, [])).toBe('')
    expect(announced({ SVC_MEDIA_LISTEN_IP: '10.0.0.9' })).toBe('')
  })
})

describe('the address for other media nodes', () => {
  const pipe = (env: Record<string, string>, interfaces = [at('10.0.0.2')]) =>
    mediaPipeAddress(loadConfig(undefined, env), { lo, eth0: interfaces })

  it('is the configured one, else the one that workers listen on', () => {
    expect(pipe({ SVC_MEDIA_NODE_PIPE_ADDRESS: '10.9.9.9', SVC_MEDIA_LISTEN_IP: '0.0.0.0' })).toBe('10.9.9.9')
    expect(pipe({ SVC_MEDIA_LISTEN_IP: '192.0.2.4' })).toBe('192.0.2.4')
  })

  it('is one of the machine, if workers listen on all', () => {
    expect(pipe({ SVC_MEDIA_LISTEN_IP: '0.0.0.0' })).toBe('10.0.0.2')
    expect(pipe({ SVC_MEDIA_LISTEN_IP: '::' }, [])).toBe('127.0.0.1')
  })
})
