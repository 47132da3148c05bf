import { pollUntil } from '@lectern/common'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Logger } from 'pino'
import { expect } from 'vitest'
import { Keys } from '../accounts/keys.ts'
import { clusterKeys, type NatsAddress } from '../platform/config/cluster.ts'
import { createLog } from '../platform/log.ts'
import { noTracing, type Tracing } from '../platform/tracing.ts'
import { MessageSignatures } from './network/message-signatures.ts'
import { ClusterNetwork } from './network/network.ts'

export interface NetworkOptions {
  namespace?: string
  addresses?: NatsAddress[]
  ca?: string
  waitMs?: number
  secret?: string
  log?: Logger
  /** Gets the log lines. */
  lines?: string[]
  tracing?: Tracing
}

export const addressOf = (url: string): NatsAddress => clusterKeys.Nats.parse(url)[0] as NatsAddress

export const SECRET = 'the secret of all servers of a test'
const signaturesOf = (secret: string) => new MessageSignatures(new Keys(secret))

/** A message as a member sends it to the subject of the namespace `test`. */
export const signed = (subject: string, envelope: string): string =>
  signaturesOf(SECRET).sign(`test.${subject}`, envelope)

/**
 * Makes a connection a member that another one knows (rule NET-11): resolves when what it sends is taken. Its messages are
 * numbered from 2 on.
 */
export async function introduce(connection: NatsConnection, id: string, to: string): Promise<void> {
  const send = (seq: number, body: object) => {
    const subject = `sequence.${to}`
    connection.publish(`test.${subject}`, signed(subject, JSON.stringify({ v: 1, from: id, seq, body })))
  }
  const questions = connection.subscribe(`test.sequence.${id}`)
  send(1, { nonce: 'any' })
  for await (const message of questions) {
    const { nonce, pending } = envelopeOf(message).body
    if (pending) continue
    send(1, { nonce, seq: 1, pending: [] })
    break
  }
}

/** The envelope of a message of a member. */
export const envelopeOf = (message: { string(): string }) => JSON.parse(message.string().slice(43))

const POLLING = { intervalMs: 5, maxIntervalMs: 100, timeoutMs: 150_000 }

/** Waits for a condition, however busy the machine is. */
export async function waitFor(holds: () => unknown, what = String(holds)): Promise<void> {
  expect(await pollUntil(holds, POLLING), what).toBeTruthy()
}

/** Networks of servers in one process. MUST be closed after each test. */
export function openNetworks(url: () => string) {
  let open: ClusterNetwork[] = []
  return {
    open: async (self: string, options: NetworkOptions = {}): Promise<ClusterNetwork> => {
      const {
        namespace = 'test',
        addresses = [addressOf(url())],
        ca = '',
        waitMs = 30_000,
        secret = SECRET,
        lines,
        tracing = noTracing,
      } = options
      const log = lines ? createLog('debug', { write: line => void lines.push(line) }) : createLog('silent')
      const signatures = signaturesOf(secret)
      const parts = { signatures, log: options.log ?? log, tracing }
      const settings = { addresses, ca, namespace, name: self, self, ...parts }
      const network = new ClusterNetwork(settings)
      open.push(network)
      await network.start(waitMs)
      return network
    },
    /** Subscriptions made before are known to NATS, and the networks know each other (rule NET-11). */
    settle: async (all = open) => {
      for (const [i, network] of all.entries()) {
        const close = network.serve(`settled.${i}`, () => true)
        for (const requester of all) {
          const isReachable = () => requester.request(`settled.${i}`, null, 1_000).catch(() => false)
          expect(await pollUntil(isReachable, POLLING)).toBe(true)
        }
        close()
      }
    },
    closeAll: async () => {
      await Promise.all(open.map(network => network.stop()))
      open = []
    },
  }
}
