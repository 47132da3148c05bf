/** The program of `npm run cluster`: a cluster on this machine, to try failures by hand. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Cluster } from './cluster.ts'

/** A program that keeps ending is not started for ever. */
const RESTARTS = 20
const ENGINE_POLL_MS = 1_000

const { values } = parseArgs({
  options: {
    servers: { type: 'string', default: '3' },
    'media-nodes': { type: 'string', default: '2' },
    recorders: { type: 'string', default: '2' },
    folder: { type: 'string' },
  },
})

const print = (line: string) => console.log(line)
let isStopping = false
const stopped = new Promise<void>(resolve => {
  const stop = () => {
    isStopping = true
    resolve()
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
})

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'lectern-cluster-'))
print(`The cluster has its data and logs in ${folder}`)
const cluster = await Cluster.start({
  folder,
  servers: Number(values.servers),
  mediaNodes: Number(values['media-nodes']),
  recorders: Number(values.recorders),
  restarts: RESTARTS,
  onLine: print,
})
const school = await cluster.addAccount('school', ['integration:rooms', 'blob'])
const room = await cluster.partner(school).createRoom(`lesson-${Date.now()}`, {
  title: 'A lesson on a cluster',
  teacher: { display_name: 'Anna Petrova', external_id: 'teacher-1' },
  student: { display_name: 'Mia Andersson' },
})
print(`
A room, at the load balancer in front of the servers:
  teacher  ${room.teacher_join_url}
  student  ${room.student_join_url}

Try failures: kill -9 PID ends a program; the lines above name the pids. It is started again after a second.
kill -STOP PID lets one hang, kill -CONT PID continues it.
Ctrl+C ends everything.`)

void superviseEngines()
await stopped
print('Stopping…')
await cluster.stop()
if (!values.folder) rmSync(folder, { recursive: true, force: true })
process.exit(0)

/** Starts PostgreSQL and NATS again when they were killed. */
async function superviseEngines(): Promise<void> {
  const { postgres, nats } = cluster.engines
  for (let restarts = 0; restarts < RESTARTS && !isStopping; await sleep(ENGINE_POLL_MS)) {
    const down = [
      { name: 'PostgreSQL', isDown: postgres.pid === null, start: () => postgres.start() },
      { name: 'NATS', isDown: nats.pid === null, start: () => nats.restart() },
    ].filter(({ isDown }) => isDown)
    for (const { name, start } of down) {
      await sleep(ENGINE_POLL_MS)
      if (isStopping) return // Ctrl+C reaches the engines too
      restarts++
      print(`${name} ended`)
      await start().then(
        () => print(`${name} runs again, pid ${name === 'NATS' ? nats.pid : postgres.pid}`),
        error => print(String(error.message)),
      )
    }
  }
}
