import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publisherOffer } from '../../packages/server/src/media/sdp/testing/offers.ts'
import { Guests } from '../support/guests.ts'
import { startService } from '../support/lectern.ts'
import { size } from '../support/size.ts'

// CPU time of the server for a publisher that comes with WHIP and leaves again, with a camera and a microphone. The media
// worker is another process.

const SESSIONS = size('SESSIONS', 300, 3)
const WARM_UP = size('WARM_UP', 100, 1)

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
const service = await startService(folder)
try {
  const [ticket] = await new Guests(service).invite(1, 1)
  if (!ticket) throw new Error('nobody was invited')
  const authorization = `Bearer ${ticket.token}`
  const offer = publisherOffer()
  const publish = async () => {
    const posted = await fetch(`${service.url}/api/v1.0/conferences/${ticket.tag}/whip`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/sdp' },
      body: offer,
    })
    if (posted.status !== 201) throw new Error(`${posted.status} ${await posted.text()}`)
    await posted.text()
    const path = posted.headers.get('location')
    await fetch(service.url + path, { method: 'DELETE', headers: { authorization } })
  }
  for (let i = 0; i < WARM_UP; i++) await publish()
  const before = { busy: service.program.busy(), atMs: performance.now() }
  for (let i = 0; i < SESSIONS; i++) await publish()
  const each = (total: number) => (total / SESSIONS).toFixed(2)
  const cpuMs = (service.program.busy() - before.busy) * 1000
  console.log(
    `WHIP: ${each(cpuMs)} ms of CPU, ${each(performance.now() - before.atMs)} ms for a publication and its end`,
  )
} finally {
  await service.program.stop()
  rmSync(folder, { recursive: true })
}
