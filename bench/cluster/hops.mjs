/**
 * What it costs when people do not enter at the server, and are not served by the media node, that their session has: CPU time of all
 * servers for a command, and of all media workers for a forwarded packet, with 0 and with 1 hop, in turns on one cluster.
 *
 * ROUNDS (5), COMMANDS (25) of each member, SECONDS (8) of packets, PAIRS (40), VIEWERS (4,40), SLOWDOWN (1)
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Cluster } from '../../e2e/support/cluster/cluster.ts'
import { Guests } from '../support/guests.ts'
import { busyBelow, childrenOf } from '../support/processes.ts'
import { size, sizes } from '../support/size.ts'
import { median, spread } from '../support/statistics.ts'
import { TaskProcess } from '../support/tasks.ts'

const ROUNDS = size('ROUNDS', 5, 1)
const SECONDS = size('SECONDS', 8, 1)
const PAIRS = size('PAIRS', 40, 2)
/** Of each member in each round. */
const COMMANDS = size('COMMANDS', 25, 25)
const WARM_UP_COMMANDS = 5
const VIEWERS = sizes('VIEWERS', '4,40', '2')
/** Divides the packet rates of a camera and a microphone, 150 packets per second together. */
const SLOWDOWN = size('SLOWDOWN', 1, 0.1)
const clients = path => new TaskProcess(fileURLToPath(new URL(`../${path}/clients.ts`, import.meta.url)))

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
const processes = []
const cluster = await Cluster.start({
  folder,
  servers: 2,
  mediaNodes: 2,
  recorders: 0,
  settings: { SVC_LIMITS_ENABLED: '0', SVC_INTEGRATION_PLAIN_LINK: 'open' },
  // Each server prefers a node of its own.
  settingsOf: async ({ name }) => ({ SVC_CLUSTER_REGION: regionOf(name) }),
  settingsOfNode: name => ({ SVC_CLUSTER_REGION: regionOf(name) }),
})
try {
  const account = await cluster.addAccount('bench', ['integration:rooms'])
  const [owner, entry] = cluster.servers
  const guests = new Guests({ url: owner.url, account })
  await measureCommands(guests, owner, entry)
  for (const viewers of VIEWERS) await measurePackets(guests, owner, entry, viewers)
} finally {
  for (const each of processes) each.stop()
  await cluster.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit() // libdatachannel leaves threads running

function regionOf(name) {
  return `region-${name.at(-1)}`
}

function start(path) {
  const process = clients(path)
  processes.push(process)
  return process
}

function cpuOf(pids) {
  return pids.reduce((sum, pid) => sum + busyBelow(pid), 0)
}

/** Rooms of three: one waits where the session runs, two send commands there or from the other server. */
async function measureCommands(guests, owner, entry) {
  const servers = cluster.servers.map(({ node }) => node.pid)
  const scenes = []
  for (const [hops, { url }] of [
    [0, owner],
    [1, entry],
  ]) {
    const tickets = await guests.invite(PAIRS * 3, 3)
    const [waiting, sending] = [start('control'), start('control')]
    await waiting.run(
      'join',
      owner.url,
      tickets.filter((_, i) => i % 3 === 0),
    )
    await sending.run(
      'join',
      url,
      tickets.filter((_, i) => i % 3 !== 0),
    )
    scenes.push({ hops, sending, figures: { hand: [], chat: [] } })
  }
  const measure = async ({ sending }, name, each) => {
    const before = cpuOf(servers)
    const { perSecond, median } = await sending.run('command', name, each)
    return { perSecond, median, us: (1e6 * (cpuOf(servers) - before)) / (each * PAIRS * 2) }
  }
  console.log(`\n${PAIRS} rooms of 3, of whom 2 send ${COMMANDS} commands each; ${ROUNDS} rounds`)
  for (const [name, title] of [
    ['hand', 'participant.update'],
    ['chat', 'chat.send, stored'],
  ]) {
    for (const scene of scenes) await measure(scene, name, WARM_UP_COMMANDS)
    for (let round = 0; round < ROUNDS; round++)
      for (const scene of scenes) scene.figures[name].push(await measure(scene, name, COMMANDS))
    for (const { hops, figures } of scenes) {
      const valuesOf = key => figures[name].map(each => each[key])
      console.log(
        `${title.padEnd(20)} ${hops} hops: ${spread(valuesOf('us'))} µs of CPU, ${spread(valuesOf('perSecond'))}/s, ${median(valuesOf('median')).toFixed(1)} ms`,
      )
    }
    printOverhead(scenes.map(({ figures }) => figures[name].map(({ us }) => us)))
  }
  for (const { sending } of scenes) await sending.run('leave')
}

/** One speaker, and viewers at the same media node or at another one. */
async function measurePackets(guests, owner, entry, viewers) {
  const scenes = []
  for (const [hops, { url }] of [
    [0, owner],
    [1, entry],
  ]) {
    const [speaker, ...others] = await guests.invite(1 + viewers, 1 + viewers)
    const room = start('large-rooms')
    await room.run('join', owner.url, [speaker], 1)
    await room.run('view', url, others)
    scenes.push({ hops, room, rounds: [] })
  }
  const workers = cluster.mediaNodes.flatMap(({ pid }) => childrenOf(pid))
  const measure = async ({ room }, seconds) => {
    const before = cpuOf(workers)
    const { packets, expected } = await room.run('send', seconds, SLOWDOWN)
    return { us: (1e6 * (cpuOf(workers) - before)) / packets, arrived: packets / expected }
  }
  for (const scene of scenes) await measure(scene, 1)
  for (let round = 0; round < ROUNDS; round++)
    for (const scene of scenes) scene.rounds.push(await measure(scene, SECONDS))
  console.log(`\none speaker, ${viewers} viewers; ${ROUNDS} rounds of ${SECONDS} s`)
  for (const { hops, rounds } of scenes) {
    const arrived = 100 * median(rounds.map(each => each.arrived))
    console.log(
      `${hops} hops: ${spread(
        rounds.map(({ us }) => us),
        1,
      )} µs of CPU for a forwarded packet, ${arrived.toFixed(1)} % arrived`,
    )
  }
  printOverhead(scenes.map(({ rounds }) => rounds.map(({ us }) => us)))
  for (const { room } of scenes) await room.run('leave')
}

function printOverhead([direct, relayed]) {
  const ratios = relayed.map((each, i) => 100 * (each / direct[i] - 1))
  console.log(`${''.padEnd(20)} a hop costs ${spread(ratios)} %`)
}
