import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { testSeed } from '@lectern/common/testing'
import { expect, it } from 'vitest'
import { PLAIN_LINK_OPEN, useLectern } from '../../support/lectern.ts'
import { runMalformed } from '../../support/malformed.ts'

const FRAMES = Number(process.env.LECTERN_FRAMES ?? 5000)
/** Memory that the server allocates for the first frames does not count as growth. */
const WARM_UP = Math.max(2000, FRAMES / 5)
const PAUSE_MS = 3000
/** Of the memory after the first frames. */
const GROWTH_MAX = 0.25

// A small heap is collected early, so that resident memory contains little garbage.
const SMALL_HEAP = '--max-old-space-size=64 --max-semi-space-size=2'

const lectern = useLectern(() => ({ ...PLAIN_LINK_OPEN, SVC_LIMITS_ENABLED: '0', NODE_OPTIONS: SMALL_HEAP }))

it(
  `answers ${FRAMES} malformed frames with documented codes, without exiting or growing`,
  async () => {
    const seed = testSeed()
    const partner = lectern.client(await lectern.addAccount())
    const { tag } = await partner.createRoom('attacked')
    const { pid } = lectern
    const onProgress = (sent: number) => {
      if (sent % 10_000 === 0) console.log(`${sent} frames, ${Math.round(residentBytes(pid) / 1e6)} MB`)
    }
    const run = { url: lectern.url, tag, onProgress }
    await runMalformed({ ...run, frames: WARM_UP, seed: seed + 1000 })
    await sleep(PAUSE_MS)
    const before = residentBytes(pid)

    const answers = await runMalformed({ ...run, frames: FRAMES, seed })
    console.log([...answers].map(([answer, count]) => `${String(count).padStart(7)} ${answer}`).join('\n'))
    await sleep(PAUSE_MS)
    const growth = residentBytes(pid) - before
    console.log(
      `The server's memory: ${Math.round(before / 1e6)} MB, then ${Math.round(growth / 1e6)} MB more.`,
    )

    expect([...answers.keys()]).toEqual(
      expect.arrayContaining([
        'close 4400 invalid_argument',
        'close 4400 resource_exhausted',
        'close 4400 unauthenticated',
        'login_result invalid_argument',
        'control_result invalid_argument',
        'control_sync_result invalid_argument',
        'v1 invalid_argument',
      ]),
    )
    expect(lectern.log).not.toMatch(/"level":"(error|fatal)"/)
    expect(await partner.serverInfo()).toBeTruthy()
    expect(growth / before).toBeLessThan(GROWTH_MAX)
  },
  60_000 + FRAMES * 20,
)

function residentBytes(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) * 1024
}
