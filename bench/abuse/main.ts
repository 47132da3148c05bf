import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Guests } from '../support/guests.ts'
import { addUser, startService } from '../support/lectern.ts'
import { args, isSmoke, size } from '../support/size.ts'
import { median, quantile } from '../support/statistics.ts'
import { TaskProcess } from '../support/tasks.ts'
import type { AttackTasks } from './attacker.ts'
import type { HonestTasks, Latencies } from './honest.ts'

// The effect of attacks at the rate limits on regular users: their latency compared with that of the idle server.

const SECONDS = size('SECONDS', 20, 1)
const ATTACKERS = isSmoke ? 2 : 10
const RECOVERY_MS = isSmoke ? 100 : 3_000
const WARM_UP_SECONDS = isSmoke ? 1 : 4
const attacks = ['idempotency', 'history', 'connections', 'passwords', 'chat'] as const
const selected = args as (typeof attacks)[number][]
const login = { login: 'honest', password: 'correct horse battery' }

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
const service = await startService(folder, { settings: { SVC_LIMITS_ENABLED: '1' } })
await addUser(service, login.login, login.password)
const guests = new Guests(service)
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const honest = new TaskProcess<HonestTasks>(script('honest.ts'))
const measure = () => honest.run('measure', service.url, login, SECONDS)

try {
  await honest.run('join', service.url, await guests.invite(2, 2))
  await honest.run('measure', service.url, login, WARM_UP_SECONDS)
  const idle = await measure()
  print('idle', idle, idle)
  for (const name of selected.length > 0 ? selected : attacks) {
    const attacker = new TaskProcess<AttackTasks>(script('attacker.ts'))
    const tickets = await guests.invite(ATTACKERS, ATTACKERS)
    const attack = { url: service.url, tickets, login: login.login, seconds: SECONDS + 2 }
    const attackEnd = attacker.run(name, attack)
    await sleep(1_000)
    print(name, await measure(), idle)
    await attackEnd
    attacker.stop()
    await sleep(RECOVERY_MS)
  }
  console.log(`at the end: lectern ${service.program.memory().toFixed(0)} MB`)
} finally {
  honest.stop()
  await service.program.stop()
  rmSync(folder, { recursive: true })
}

function print(name: string, { taken, failed }: Latencies, idle: Latencies): void {
  const columns = (['healthz', 'chat', 'login'] as const).map(what => {
    const [now, before] = [taken[what], idle.taken[what]]
    const ratio = (figure: (values: number[]) => number) => (figure(now) / figure(before)).toFixed(2)
    const p99 = (values: number[]) => quantile(values, 0.99)
    const figures = `${median(now).toFixed(1)} / ${p99(now).toFixed(1)} ms`
    return `${what} ${figures} (×${ratio(median)} / ×${ratio(p99)})`.padEnd(46)
  })
  console.log(`${name.padEnd(12)} ${columns.join(' ')} failed ${failed}`)
}
