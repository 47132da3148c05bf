import { describe, expect, it } from 'vitest'
import { INI, useLectern } from '../testing.ts'

const { makeFolder, run, launch } = useLectern()
const listed = (text: string, name: string) => text.split('\n').find(line => line.includes(name))

describe('lectern doctor', () => {
  it('exits with 1 when a check fails, and prints one JSON object with --json', async () => {
    const { code, stdout, stderr } = await run(makeFolder('[Server]\nPrt = 1\n'), ['doctor', '--json'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    const { ok, checks } = JSON.parse(stdout)
    expect(ok).toBe(false)
    expect(checks[0]).toMatchObject({
      name: 'config',
      status: 'fail',
      says: expect.stringContaining('lectern.ini:2'),
    })
  })

  it('reports no error for this machine with a running service, in aligned lines', async () => {
    const folder = makeFolder(INI)
    const server = await launch(folder, ['serve'])
    const env = { SVC_SERVER_PORT: new URL(server.first().url).port }
    const { code, stdout } = await run(folder, ['doctor'], { env })
    expect(listed(stdout, 'port')).toMatch(/^ok {4}port +The server is listening on 127\.0\.0\.1:/)
    expect(listed(stdout, 'media worker')).toMatch(/^ok {4}media worker +mediasoup 3\./)
    expect(listed(stdout, 'TURN')).toMatch(/^warn {2}TURN/)
    expect(stdout).toMatch(/\d+ passed, \d+ warnings?, 0 errors\n$/)
    expect(code).toBe(0)
    expect(await server.stop()).toBe(0)
  })
})
