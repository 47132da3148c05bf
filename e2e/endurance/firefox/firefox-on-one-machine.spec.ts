import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryPath, useFolders } from '../../support/folders.ts'
import { ensureBuilt, LECTERN } from '../../support/lectern.ts'
import { usePrograms } from '../../support/program.ts'

const makeFolder = useFolders()
const run = usePrograms()

/** Its processes end with the first one: a browser that outlives a failed test would use a core. Needs root. */
const MACHINE = ['--net', '--pid', '--fork', '--kill-child', '--mount-proc']

/** An isolated network with one address. */
const NETWORK = [
  'ip link set lo up',
  'ip link add lan type bridge',
  'ip address add 10.77.0.2/24 dev lan',
  'ip link set lan up',
  'ip route add default via 10.77.0.1',
  'exec "$@"',
].join(' && ')

describe('npm start', () => {
  it('serves calls between Firefox tabs on the same machine with default preferences', async () => {
    ensureBuilt()
    const script = repositoryPath('e2e/support/firefox-on-one-machine.ts')
    const story = [process.execPath, script, LECTERN, join(makeFolder(), 'data')]
    const program = run('unshare', [...MACHINE, 'sh', '-c', NETWORK, 'machine', ...story])
    const [line] = await program.waitForOutput(/^\{.*\}$/m)
    expect(JSON.parse(line).width).toBeGreaterThan(0)
  })
})
