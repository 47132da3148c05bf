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
import { Cluster, type ClusterServer } from '../../e2e/support/cluster/cluster.ts'
import type { ClusterNode } from '../../e2e/support/cluster/node.ts'
import type { Tasks } from '../control/clients.ts'
import type { Clients } from '../large-rooms/clients.ts'
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
const clientsOf = (path: string) => fileURLToPath(new URL(`../${path}/clients.ts`, import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
const processes: { stop: () => void }[] = []
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
  const [owner, entry] = cluster.servers as [ClusterServer, ClusterServer]
  const guests = new Guests({ url: owner.url, account })
  await measureCommands(guests, owner, entry)
  for (const viewers of VIEWERS) await measurePackets(guests, owner, entry, viewers)
} finally {
  for (const each of processes) each.stop()
  await cluster.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit() // libdatachannel leaves threads running

function regionOf(name: string): string {
  return `region-${name.at(-1)}`
}

function startMembers(): TaskProcess<Tasks> {
  const members = new TaskProcess<Tasks>(clientsOf('control'))
  processes.push(members)
  return members
}

function startRoom(): TaskProcess<Clients> {
  const room = new TaskProcess<Clients>(clientsOf('large-rooms'))
  processes.push(room)
  return room
}

/** Seconds of CPU time. */
function cpuOf(pids: number[]): number {
  return pids.reduce((sum, pid) => sum + busyBelow(pid), 0)
}

/** Of the programs that run. */
function pidsOf(nodes: ClusterNode[]): number[] {
  return nodes.flatMap(({ pid }) => pid ?? [])
}

type CommandName = 'hand' | 'chat'
type CommandCost = { us: number; perSecond: number; median: number }

/** Members who send commands over so many hops, and what these cost in each round. */
interface CommandScene {
  hops: number
  sending: TaskProcess<Tasks>
  figures: Record<CommandName, CommandCost[]>
}

interface PacketScene {
  hops: number
  room: TaskProcess<Clients>
  rounds: { us: number; arrived: number }[]
}

/** Rooms of three: one waits where the session runs, two send commands there or from the other server. */
async function measureCommands(guests: Guests, owner: ClusterServer, entry: ClusterServer): Promise<void> {
  const servers = pidsOf(cluster.servers.map(({ node }) => node))
  const scenes: CommandScene[] = []
  for (const [hops, { url }] of [owner, entry].entries()) {
    const tickets = await guests.invite(PAIRS * 3, 3)
    const [waiting, sending] = [startMembers(), startMembers()]
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
  const measure = async (
    { sending }: CommandScene,
    name: CommandName,
    each: number,
  ): Promise<CommandCost> => {
    const before = cpuOf(servers)
    const { perSecond, median } = await sending.run('command', name, each)
    return { perSecond, median, us: (1e6 * (cpuOf(servers) - before)) / (each * PAIRS * 2) }
  }
  console.log(`\n${PAIRS} rooms of 3, of whom 2 send ${COMMANDS} commands each; ${ROUNDS} rounds`)
  for (const [name, title] of [
    ['hand', 'participant.update'],
    ['chat', 'chat.send, stored'],
  ] as const) {
    for (const scene of scenes) await measure(scene, name, WARM_UP_COMMANDS)
    for (let round = 0; round < ROUNDS; round++)
      for (const scene of scenes) scene.figures[name].push(await measure(scene, name, COMMANDS))
    for (const { hops, figures } of scenes) {
      const valuesOf = (key: keyof CommandCost) => figures[name].map(each => each[key])
      console.log(
        `${title.padEnd(20)} ${hops} hops: ${spread(valuesOf('us'))} µs of CPU, ${spread(valuesOf('perSecond'))}/s, ${median(valuesOf('median')).toFixed(1)} ms`,
      )
    }
    printOverhead(scenes.map(({ figures }) => figures[name].map(({ us }) => us)))
  }
  for (const { sending } of scenes) await sending.run('leave')
}

/** One speaker, and viewers at the same media node or at another one. */
async function measurePackets(
  guests: Guests,
  owner: ClusterServer,
  entry: ClusterServer,
  viewers: number,
): Promise<void> {
  const scenes: PacketScene[] = []
  for (const [hops, { url }] of [owner, entry].entries()) {
    const tickets = await guests.invite(1 + viewers, 1 + viewers)
    const room = startRoom()
    await room.run('join', owner.url, tickets.slice(0, 1), 1)
    await room.run('view', url, tickets.slice(1))
    scenes.push({ hops, room, rounds: [] })
  }
  const workers = pidsOf(cluster.mediaNodes).flatMap(childrenOf)
  const measure = async ({ room }: PacketScene, seconds: number) => {
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

/** Of rounds without a hop and with one. */
function printOverhead([direct = [], relayed = []]: number[][]): void {
  const ratios = relayed.map((each, i) => 100 * (each / (direct[i] ?? 0) - 1))
  console.log(`${''.padEnd(20)} a hop costs ${spread(ratios)} %`)
}
