import { expect, it } from 'vitest'
import { assertSystem, releaseIn } from './debian-release.mjs'

it('Debian and systems made from it have a release, others none', () => {
  expect(releaseIn('ID=debian\nVERSION_ID="12"\n')).toBe('12')
  expect(releaseIn('PRETTY_NAME="Debian GNU/Linux trixie/sid"\nID=debian\n')).toBe('unstable')
  expect(releaseIn('NAME="Ubuntu"\nVERSION_ID="24.04"\nID=ubuntu\nID_LIKE=debian\n')).toBe('ubuntu24.04')
  expect(releaseIn('ID=linuxmint\nID_LIKE="ubuntu debian"\nVERSION_ID="22"\n')).toBe('linuxmint22')
  expect(releaseIn('ID=fedora\nVERSION_ID=43\n')).toBeNull()
})

it('a system that cannot run Lectern is refused with what to do instead', () => {
  const debian = { platform: 'linux', arch: 'x64', release: '12', workerBin: undefined }
  expect(() => assertSystem(debian)).not.toThrow()
  expect(() => assertSystem({ ...debian, arch: 'arm64', release: 'ubuntu24.04' })).not.toThrow()
  expect(() => assertSystem({ ...debian, arch: 'ia32' })).toThrow('this one is ia32')
  expect(() => assertSystem({ ...debian, platform: 'win32', release: null })).toThrow('wsl --install Debian')
  const mac = { platform: 'darwin', arch: 'arm64', release: null, workerBin: undefined }
  expect(() => assertSystem(mac)).toThrow(/this is macOS.*\n.*MEDIASOUP_WORKER_BIN/)
  expect(() => assertSystem({ ...mac, workerBin: '/opt/mediasoup-worker' })).not.toThrow()
})
