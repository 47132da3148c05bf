import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { conferenceChat } from '@lectern/protocol/control'
import { AccountFiller } from '@lectern/server/testing'
import Database from 'better-sqlite3'
import { addUser, startService } from '../support/lectern.ts'
import { busyOf } from '../support/processes.ts'
import { start } from '../support/program.ts'
import { isSmoke, size, sizes } from '../support/size.ts'
import { spread } from '../support/statistics.ts'
import { BareClient, type Client, Member } from './client.ts'

// Messages that are stored and delivered to 2 and to 500 members, compared with a bare `ws` and SQLite server in the same
// run; and what it costs the server to open the home page of an account with 1,000 conversations and 100,000 messages.

const ROUNDS = size('ROUNDS', 5, 1)
/** In each round: all rounds together stay below the commands that the server remembers for an account (rule K14). */
const MESSAGES = size('MESSAGES', 600, 300)
const SIZES = sizes('SIZES', '2,500', '2,5')
const TEXT = 'Please open the book on page 42.'
/** Messages that are under way at the same time. */
const IN_FLIGHT = 16
const CONVERSATIONS = isSmoke ? 10 : 1_000
const MESSAGES_EACH = isSmoke ? 10 : 100
const PASSWORD = 'a-password-of-the-bench'

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
const service = await startService(folder)
try {
  await addUser(service, 'owner', PASSWORD)
  const database = new Database(join(folder, 'data', 'lectern.db'))
  const { id: ownerId, password_hash } = database
    .prepare("SELECT id, password_hash FROM users WHERE login = 'owner'")
    .get() as { id: number; password_hash: string }
  const filler = new AccountFiller(database)
  for (const size of SIZES) await measureDelivery(size)
  await measureHomePage()

  async function measureDelivery(size: number) {
    const tag = `bench-${size}`
    filler.addConference(tag, tag, ownerId)
    const tokens: string[] = []
    for (let i = 0; i < size; i++) {
      const login = `${tag}-${i}`
      filler.addMember(conferenceChat(tag), filler.addUser(login, login, password_hash))
      tokens.push(await signIn(login))
    }
    const members = await Promise.all(
      tokens.map((token, i) => Member.open(service.url, token, conferenceChat(tag), `b${i}`)),
    )
    const bareFile = join(folder, `${tag}.db`)
    const bare = await start([fileURLToPath(new URL('bare.ts', import.meta.url)), bareFile])
    const bareClients = await Promise.all(Array.from({ length: size }, () => BareClient.open(bare.line)))
    const rounds: Record<'ours' | 'theirs', Figures>[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const ours = await measure(members, service.program.pid)
      const theirs = await measure(bareClients, bare.pid)
      if (round > 0) rounds.push({ ours, theirs }) // the first one is a warm-up
    }
    const column = (read: (round: (typeof rounds)[number]) => number) => rounds.map(read)
    const ratio = (read: (round: (typeof rounds)[number]) => number) => spread(column(read), 2)
    const [ours, theirs] = [column(each => each.ours.perSecond), column(each => each.theirs.perSecond)]
    console.log(`${size} members: ${spread(ours)} messages/s, bare ${spread(theirs)}`)
    console.log(`  ratio ${ratio(each => each.ours.perSecond / each.theirs.perSecond)}`)
    const micros = [column(each => each.ours.cpuMicros), column(each => each.theirs.cpuMicros)]
    console.log(`  CPU time per delivery ${micros.map(each => spread(each, 1)).join(' µs, bare ')} µs`)
    console.log(`  ratio ${ratio(each => each.theirs.cpuMicros / each.ours.cpuMicros)}`)
    for (const client of [...members, ...bareClients]) client.close()
    await bare.stop()
  }

  async function measureHomePage() {
    const senderId = filler.addUser('sender', 'Sender')
    const messages = { senderId, count: MESSAGES_EACH, text: () => TEXT, sentAtMs: 1 }
    const tags = Array.from({ length: CONVERSATIONS }, (_, i) => `home-${i}`)
    filler.inOneTransaction(() => {
      for (const tag of tags) filler.addMeeting(tag, tag, ownerId, messages)
    })
    const token = await signIn('owner')
    const chatId = conferenceChat(tags.at(-1) as string)
    const busy: number[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      await sleep(2_000)
      const before = busyOf(service.program.pid)
      const member = await Member.open(service.url, token, chatId, 'home')
      await member.list()
      if (round > 0) busy.push((busyOf(service.program.pid) - before) * 1000)
      member.close()
    }
    console.log(
      `home page with ${CONVERSATIONS} conversations and ${CONVERSATIONS * MESSAGES_EACH} messages: ${spread(busy)} ms of CPU time`,
    )
  }
} finally {
  await service.program.stop()
  rmSync(folder, { recursive: true })
}

async function signIn(login: string): Promise<string> {
  const answer = await fetch(`${service.url}/api/v1.0/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login, password: PASSWORD }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

interface Figures {
  /** Messages that all clients have received. */
  perSecond: number
  /** CPU time of the server for each message and receiver. */
  cpuMicros: number
}

async function measure(clients: readonly Client[], pid: number): Promise<Figures> {
  const [first] = clients as [Client]
  const busyBefore = busyOf(pid)
  const before = clients.map(({ received }) => received)
  const begun = performance.now()
  let sent = 0
  const work = async () => {
    while (sent < MESSAGES) {
      sent += 1
      await first.send(TEXT)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, work))
  while (clients.some(({ received }, i) => received - (before[i] as number) < sent)) await sleep(1)
  return {
    perSecond: (sent * 1000) / (performance.now() - begun),
    cpuMicros: ((busyOf(pid) - busyBefore) * 1e6) / (sent * clients.length),
  }
}
