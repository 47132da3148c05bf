import { setTimeout as sleep } from 'node:timers/promises'
import { directChat } from '@lectern/protocol/control/client'
import type { Account } from './accounts.ts'
import { SoakClient } from './chat-member.ts'
import type { Stage } from './lesson.ts'

const TTL_MS = 60_000
const PROBE_MS = 1_000
const BACKEND_MS = 5_000
const MESSAGE_MS = 2_000
const CALL_MS = 60_000
const RINGS_MS = 2_000
const PAGE = 50
const ROOM = 'soak-room'

/** Repeats an action until the signal, and reports its failures. */
async function repeat(
  { progress, choices }: Stage,
  { what, everyMs, signal }: { what: string; everyMs: number; signal: AbortSignal },
  action: () => Promise<unknown>,
): Promise<void> {
  while (!signal.aborted) {
    const pauseMs = everyMs * (0.5 + choices.below(1_000) / 1_000)
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    await action().catch(error => progress.failed(what, error))
  }
}

/** The backend of a partner: measures the latency of HTTP, and uses the partner API. */
export async function runBackend(stage: Stage, load: number, signal: AbortSignal): Promise<void> {
  const { partner, progress, choices } = stage
  await partner.createRoom(ROOM, { title: 'Soak' })
  const actions = [
    () => partner.createRoom(ROOM, { title: 'Soak' }),
    () => partner.createRoom(`soak-${choices.below(1_000)}`),
    () => partner.updateRoom(ROOM, { description: `Changed at ${Date.now()}` }),
    () => partner.listRooms({ limit: 50 }),
    () => partner.getWebhook(),
    () => partner.listDeliveries({ limit: 50 }),
    () => partner.testWebhook(),
  ]
  const probe = async () => {
    const began = performance.now()
    await partner.roomStatus(ROOM)
    progress.http.add(performance.now() - began)
  }
  const act = async () => {
    await choices.pick(actions)()
    progress.count('requests')
  }
  await Promise.all([
    repeat(stage, { what: 'a request', everyMs: PROBE_MS / load, signal }, probe),
    repeat(stage, { what: 'the partner API', everyMs: BACKEND_MS / load, signal }, act),
  ])
}

/** Two accounts that write to each other and call each other. Every message must be stored once. */
export async function runAccounts(
  stage: Stage,
  [anna, ben]: [Account, Account],
  load: number,
  signal: AbortSignal,
): Promise<void> {
  const { url, progress, choices } = stage
  const clients: [SoakClient, SoakClient] = [new SoakClient(url, anna), new SoakClient(url, ben)]
  await Promise.all(clients.map(client => client.open()))
  const [caller, called] = clients
  const chat = { kind: 'chat', id: directChat(anna.userId, ben.userId) } as const
  await caller.client.command('contact.add', accountOf(anna), { user_id: String(ben.userId) })
  await called.client.command('contact.add', accountOf(ben), { user_id: String(anna.userId) })
  const sent: string[] = []
  const write = async () => {
    const text = `message ${sent.length + 1}`
    sent.push(text)
    await caller.client.command('message.send', chat, { text }, { ttlMs: TTL_MS })
    progress.count('directMessages')
    if (choices.chance(0.05)) {
      choices.pick(clients).cut()
      progress.count('reconnects')
    }
  }
  const call = async () => {
    await callOnce(caller, called, ben)
    progress.count('calls')
  }
  await Promise.all([
    repeat(stage, { what: 'a message', everyMs: MESSAGE_MS / load, signal }, write),
    repeat(stage, { what: 'a call', everyMs: CALL_MS / load, signal }, call),
  ])
  const stored = await storedTexts(called, chat)
  if (stored.join() !== sent.join())
    progress.mistake(`of ${sent.length} messages between accounts, ${stored.length} are stored`)
  for (const { client } of clients) client.close()
}

const accountOf = ({ userId }: Account) => ({ kind: 'account', id: String(userId) }) as const

/** A call that is accepted, and which both leave. */
async function callOnce(caller: SoakClient, called: SoakClient, { userId }: Account): Promise<void> {
  const invited = await caller.client.command(
    'call.invite',
    { kind: 'operation', id: 'new' },
    { user_ids: [String(userId)], video: false },
    { ttlMs: TTL_MS },
  )
  const call = { kind: 'operation', id: invited.call.call_id } as const
  await sleep(RINGS_MS)
  await called.client.command('call.accept', call, {}, { ttlMs: TTL_MS })
  await sleep(RINGS_MS)
  await caller.client.command('call.leave', call, {}, { ttlMs: TTL_MS })
  await called.client.command('call.leave', call, {}, { ttlMs: TTL_MS }).catch(() => {}) // it may be over
}

/** All messages of a conversation, oldest first. */
async function storedTexts({ client }: SoakClient, chat: { kind: 'chat'; id: string }): Promise<string[]> {
  const texts: string[] = []
  for (let after = '0'; ; ) {
    const { messages, has_more } = await client.command('message.list', chat, { after, limit: PAGE })
    texts.push(...messages.map(({ text }) => text))
    after = messages.at(-1)?.message_id ?? after
    if (!has_more || messages.length === 0) return texts
  }
}
