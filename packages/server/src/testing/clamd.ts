import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Clamd } from '../records/files/clamd.ts'

/** The content that the signature of the test finds: the file of eicar.org. */
export const EICAR = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-', 'STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
)

export interface ClamdServer {
  /** The path of the socket. */
  path: string
  /** kill -9; resolves when the process is gone. */
  kill: () => Promise<void>
  /** After `kill`, with further lines of clamd.conf. */
  start: (settings?: string[]) => Promise<void>
  /** Ends the process and removes its files. */
  stop: () => Promise<void>
}

const READY_WITHIN_MS = 60_000

/** Debian's clamd with one signature. Throws, and leaves neither the process nor its files, if it does not answer in time. */
export async function startClamd(settings: string[] = [], withinMs = READY_WITHIN_MS): Promise<ClamdServer> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-clamd-'))
  const path = join(folder, 'clamd.ctl')
  const md5 = createHash('md5').update(EICAR).digest('hex')
  writeFileSync(join(folder, 'test.hdb'), `${md5}:${EICAR.length}:Eicar-Test-Signature\n`)
  let child: ChildProcess | null = null
  const kill = async () => {
    if (!child || hasEnded(child)) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const stop = async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  }
  const start = async (more: string[] = settings) => {
    const conf = join(folder, 'clamd.conf')
    const lines = [
      ...[`LocalSocket ${path}`, `DatabaseDirectory ${folder}`, `TemporaryDirectory ${folder}`],
      ...[`User ${userInfo().username}`, 'Foreground yes', ...more],
    ]
    writeFileSync(conf, `${lines.join('\n')}\n`)
    const started = spawn('clamd', ['-c', conf], { stdio: 'ignore' })
    child = started
    await once(started, 'spawn') // rejects when there is no such program
    const endsAt = Date.now() + withinMs
    for (let cause: unknown; ; await sleep(50)) {
      if (Date.now() >= endsAt || hasEnded(started)) {
        await kill()
        throw new Error(`clamd ${started.pid} does not answer`, { cause })
      }
      try {
        return await new Clamd({ address: { path } }).ping()
      } catch (error) {
        cause = error
      }
    }
  }
  try {
    await start()
  } catch (error) {
    await stop()
    throw error
  }
  return { path, kill, start, stop }
}

const hasEnded = ({ exitCode, signalCode, pid }: ChildProcess) =>
  pid === undefined || exitCode !== null || signalCode !== null
