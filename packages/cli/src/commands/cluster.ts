import { type ClusterStatus, loadConfig, openClusterOperator } from '@lectern/server/operator'
import type { Command } from 'commander'
import { addCommand, type CommonOptions } from '../command.ts'
import { print, table } from '../output.ts'

type Cluster = Awaited<ReturnType<typeof openClusterOperator>>

export function addCluster(lectern: Command) {
  const cluster = lectern
    .command('cluster')
    .description('inspect and operate an installation of several servers')

  addCommand(
    cluster,
    'status',
    'list servers and media nodes with their load, versions and sessions; exit code 1 if NATS or the database is unavailable',
  ).action(status)

  addCommand(
    cluster,
    'drain <node>',
    'ask a server or media node to hand over its sessions and to take no new ones, before it is stopped',
  ).action(drain)

  addCommand(
    cluster,
    'undrain <node>',
    'let a server or media node that drains take sessions again; its next start does the same',
  ).action(undrain)
}

async function status(options: CommonOptions) {
  const found = await withCluster(options, cluster => cluster.status())
  print(options, present(found), describe(found))
  if (!found.nats.reachable || !found.database.reachable) process.exitCode = 1
}

async function drain(node: string, options: CommonOptions) {
  const { id, role } = await withCluster(options, cluster => cluster.drain(node))
  const next = 'It may be stopped when "lectern cluster status" shows that it runs none.'
  print(options, { id, role, draining: true }, `${id} hands over its sessions. ${next}`)
}

async function undrain(node: string, options: CommonOptions) {
  const { id, role } = await withCluster(options, cluster => cluster.undrain(node))
  print(options, { id, role, draining: false }, `${id} takes sessions again.`)
}

async function withCluster<T>({ config }: CommonOptions, work: (cluster: Cluster) => Promise<T>): Promise<T> {
  const cluster = await openClusterOperator(loadConfig(config))
  try {
    return await work(cluster)
  } finally {
    await cluster.close()
  }
}

const present = ({ nats, database, nodes, incompatible, silent, unowned }: ClusterStatus) => ({
  nats,
  database,
  nodes: nodes.map(({ id, name, role, version, region, advertise, draining, load, leases }) => ({
    id,
    name,
    role,
    version,
    region,
    advertise,
    draining,
    load,
    leases,
  })),
  incompatible,
  silent: silent.map(({ serverId, sessions }) => ({ id: serverId, leases: sessions })),
  unowned_sessions: unowned,
})

function describe({ nats, database, nodes, incompatible, silent, unowned }: ClusterStatus): string {
  const rows = nodes.map(({ id, role, version, region, draining, load, leases }) => [
    id,
    role,
    version,
    region || '-',
    draining ? 'draining' : 'ready',
    leases === null ? '-' : String(leases),
    Object.entries(load)
      .map(([name, value]) => `${name} ${Math.round(value * 100) / 100}`)
      .join(', '),
  ])
  return [
    `NATS (${nats.servers.join(', ')}): ${nats.reachable ? 'reachable' : 'away'}`,
    `Database: ${database.reachable ? 'reachable' : 'away'}`,
    '',
    rows.length > 0
      ? table(['id', 'role', 'version', 'region', 'state', 'sessions', 'load'], rows)
      : 'No node answers.',
    ...incompatible.map(
      ({ id, version }) =>
        `${id} speaks version ${version} of the protocol between servers, which this program does not know: use the command line of that version, and update the other members.`,
    ),
    ...silent.map(each => `${each.serverId} is silent and has ${each.sessions} sessions.`),
    ...(unowned ? [`${unowned} sessions have no server at the moment.`] : []),
  ].join('\n')
}
