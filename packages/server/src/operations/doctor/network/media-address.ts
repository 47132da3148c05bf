import { lookup } from 'node:dns/promises'
import { isIP, isIPv6 } from 'node:net'
import { availableParallelism } from 'node:os'
import ipaddr from 'ipaddr.js'
import { announcedAddress, listensFor, mediaHostAddress } from '../../../platform/address.ts'
import type { Config } from '../../../platform/config/index.ts'
import { type Check, type Finding, fail, ok, warn } from '../check.ts'
import { requestLocally } from '../instance.ts'
import { tryToBind } from '../port.ts'
import { checkMediaPort, type IceParameters } from './ice-check.ts'
import { isForOthers } from './public-url.ts'

const UNSPECIFIED = new Set(['0.0.0.0', '::'])
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/

const ANNOUNCE = 'Set [Media] AnnouncedAddress to the address at which browsers reach this machine.'
const LISTEN = 'Set [Media] ListenIp to 0.0.0.0 or to an address of this machine.'

/** Checks the address of a media node, to which recorders on other machines connect, too. */
export const nodeAddress: Check = async ({ config }) =>
  problemOf(config) ??
  problemOfDefault(config) ??
  (await problemOfName(config)) ??
  ok(`${addressOf(config)}, UDP and TCP.`)

const addressOf = (config: Config) => announcedAddress(config) || config.Media.ListenIp

/** Checks the addresses of this machine, where nobody has said which one browsers use. */
function problemOfDefault(config: Config): Finding | null {
  if (config.Media.AnnouncedAddress !== '' || !UNSPECIFIED.has(config.Media.ListenIp)) return null
  const address = addressOf(config)
  const isPrivate = ipaddr.isValid(address) && ipaddr.process(address).range() !== 'unicast'
  if (!isPrivate || !isForOthers(config.Integration.PublicUrl)) return null
  return fail(
    `Media uses ${address}, an address of this machine that people outside of its network do not reach.`,
    `${ANNOUNCE} If everybody is in this network, set it to ${address}.`,
  )
}

/** Why nobody on another machine can send media; null: somebody can. */
function problemOf(config: Config): Finding | null {
  const address = addressOf(config)
  if (UNSPECIFIED.has(address)) return fail(`Browsers cannot send media to ${address}.`, ANNOUNCE)
  if (LOOPBACK.test(address))
    return fail(`Media uses ${address}, which is reachable only from this machine.`, ANNOUNCE)
  if (LOOPBACK.test(config.Media.ListenIp))
    return fail(
      `Nothing that is sent to ${address} arrives: media listens on ${config.Media.ListenIp} only.`,
      LISTEN,
    )
  if (isIP(address) && !listensFor(config.Media.ListenIp, address))
    return fail(
      `Nothing that is sent to ${address} arrives: media listens on ${config.Media.ListenIp}.`,
      `Set [Media] ListenIp to ${isIPv6(address) ? ':: (IPv4 and IPv6)' : '0.0.0.0'}, or correct AnnouncedAddress.`,
    )
  return null
}

/** Why the name that is announced does not lead here, as this machine resolves it; null for an address. */
async function problemOfName(config: Config): Promise<Finding | null> {
  const name = addressOf(config)
  if (isIP(name)) return null
  const found = await lookup(name, { all: true }).catch(() => [])
  const usable = found.filter(({ address }) => listensFor(config.Media.ListenIp, address))
  const [first] = usable
  if (!first)
    return fail(
      found.length === 0
        ? `The name ${name} has no address.`
        : `Media listens on ${config.Media.ListenIp}, and ${name} has ${found[0]?.address} only.`,
      'Correct [Media] AnnouncedAddress, or the DNS.',
    )
  if (config.Turn.Embedded && usable.every(({ address }) => LOOPBACK.test(address)))
    return fail(
      `On this machine ${name} is ${first.address}, so that TURN relays to no other address.`,
      'Set [Media] AnnouncedAddress to the public address in place of the name, or take the name out of /etc/hosts.',
    )
  return null
}

export const mediaAddress: Check = async ({ config, isRunning }) => {
  const { Media, Integration, Cluster, Server } = config
  if (Cluster.MediaNodes) return ok('Sessions use the media nodes of the cluster.')
  const problem = problemOf(config) ?? problemOfDefault(config) ?? (await problemOfName(config))
  const isLocal = !isForOthers(Integration.PublicUrl) && LOOPBACK.test(Server.Host)
  if (problem && !(isLocal && LOOPBACK.test(addressOf(config)))) return problem
  const tried = isRunning ? await tryRunning(config) : await tryPorts(config)
  if (tried || !problem)
    return tried ?? ok(`${addressOf(config)}, UDP and TCP${isRunning ? ', answers' : ''}.`)
  const hostAddress = mediaHostAddress(config)
  if (hostAddress) return ok(`${addressOf(config)} and ${hostAddress}, for people on this machine.`)
  return warn(
    `Media uses ${addressOf(config)}: only for people on this machine, and not for Firefox.`,
    Media.ListenOnHostAddress
      ? 'Connect this machine to a network, or use another browser on it.'
      : 'Set [Media] ListenOnHostAddress = 1, or AnnouncedAddress.',
  )
}

interface Candidate {
  address: string
  port: number
  protocol: 'udp' | 'tcp'
}

/** A probe of the running server, at which browsers test their connections, too. */
export async function openProbe(config: Config): Promise<{ ice: IceParameters; candidates: Candidate[] }> {
  const probe = await requestLocally(config, '/api/v1.0/connection-test', 'POST')
  if (!probe.ice_parameters) throw new Error(`the running server opens no probe (${probe.code})`)
  const { ice_parameters, ice_candidates } = probe as {
    ice_parameters: IceParameters
    ice_candidates: Candidate[]
  }
  return { ice: ice_parameters, candidates: ice_candidates }
}

/** Sends to the announced addresses, as a browser does. */
async function tryRunning(config: Config): Promise<Finding | null> {
  const { ice, candidates } = await openProbe(config)
  const failures = await Promise.all(
    candidates.map(async candidate => {
      const reason = await checkMediaPort(ice, candidate)
      const { address, port, protocol } = candidate
      return reason && `${address}:${port} by ${protocol.toUpperCase()} (${reason})`
    }),
  )
  const failed = failures.filter(Boolean)
  if (failed.length === 0) return null
  return warn(
    `No answer at ${failed.join(' and ')} from this machine.`,
    'Run the connection test of the pages on another machine. If it fails, too, open these ports in the firewall, and pass them on in the router.',
  )
}

/** One of each worker; none if these are any free ones. */
export const mediaPorts = ({ Media: { Port, Workers } }: Pick<Config, 'Media'>): number[] =>
  Port === 0 ? [] : Array.from({ length: Workers || availableParallelism() }, (_, index) => Port + index)

/** Before the server runs: whether another program has its media ports. */
async function tryPorts(config: Config): Promise<Finding | null> {
  const { ListenIp } = config.Media
  for (const port of mediaPorts(config)) {
    const code = await tryToBind(ListenIp, port)
    if (code === 'EADDRINUSE')
      return fail(
        `Media port ${ListenIp}:${port} is in use by another program.`,
        'Stop that program or change [Media] Port.',
      )
    if (code !== null) return fail(`Media cannot listen on ${ListenIp}:${port}: ${code}.`, LISTEN)
  }
  return null
}
