import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Clamd } from '../records/files/clamd.ts'

/** What the signature of the test finds: the file of eicar.org. */
export const EICAR = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-', 'STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
)

export interface ClamdServer {
  /** Its socket. */
  path: string
  /** kill -9; resolves when the process is gone. */
  kill: () => Promise<void>
  /** After `kill`, with further lines of clamd.conf. */
  start: (settings?: string[]) => Promise<void>
  /** Ends the process and removes its files. */
  stop: () => Promise<void>
}

const READY_WITHIN_MS = 60_000

/** Debian's clamd with one signature. */
export async function startClamd(settings: string[] = []): Promise<ClamdServer> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-clamd-'))
  const path = join(folder, 'clamd.ctl')
  const md5 = createHash('md5').update(EICAR).digest('hex')
  writeFileSync(join(folder, 'test.hdb'), `${md5}:${EICAR.length}:Eicar-Test-Signature\n`)
  let child: ChildProcess | null = null
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const start = async (more: string[] = settings) => {
    const conf = join(folder, 'clamd.conf')
    const lines = [
      ...[`LocalSocket ${path}`, `DatabaseDirectory ${folder}`, `TemporaryDirectory ${folder}`],
      ...[`User ${userInfo().username}`, 'Foreground yes', ...more],
    ]
    writeFileSync(conf, `${lines.join('\n')}\n`)
    child = spawn('clamd', ['-c', conf], { stdio: 'ignore' })
    const endsAt = Date.now() + READY_WITHIN_MS
    const ping = (): Promise<void> =>
      new Clamd({ address: { path } }).ping().catch(async error => {
        if (Date.now() > endsAt) throw error
        await sleep(50)
        return ping()
      })
    await ping()
  }
  await start()
  return {
    path,
    kill,
    start,
    stop: async () => {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
