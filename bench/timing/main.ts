import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { addAccount, signIn, startService } from '../support/lectern.ts'
import { args, isSmoke, size } from '../support/size.ts'
import { median } from '../support/statistics.ts'
import { client, type Request, type Send, succeed } from './client.ts'
import { mannWhitney } from './difference.ts'
import { requestOf, routesOf } from './routes.ts'
import { addThings, nobodys, type Values } from './things.ts'

// Whether the time of an answer tells a partner that another one has something. For every route of the reference that names a
// thing, a partner requests what another one has and what nobody has, alternately over one connection; for things inside of
// another also the other's thing in a place of its own. Both are refused alike: other answers end the benchmark.

const REQUESTS = size('REQUESTS', 1_500, 12)
const [only = ''] = args

interface Case {
  name: string
  strangers: Request
  nobodys: Request
}

const scopes = ['integration:rooms', 'blob']
const folder = mkdtempSync(join(tmpdir(), 'lectern-timing-'))
const settings = { SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1', SVC_SERVER_LOG_LEVEL: 'error' }
const service = await startService(folder, { scopes, settings })
try {
  const send = client(service.url)
  const own = await signIn(service)
  const stranger = await addAccount(service, 'stranger', { scopes, settings })
  const token = await signIn({ ...service, account: stranger })
  const mine = await addThings(send, own, folder, 'mine')
  const theirs = await addThings(send, token, folder, 'else')
  await sleep(isSmoke ? 500 : 5_000) // what follows from them
  await compare(send, await casesOf(send, own, mine, theirs))
} finally {
  await service.program.stop()
  rmSync(folder, { recursive: true })
}

async function casesOf(send: Send, token: string, mine: Values, theirs: Values): Promise<Case[]> {
  const path = '/api/openapi.json'
  const routes = routesOf(await succeed(send, { method: 'GET', path }))
  const unknown = nobodys(theirs)
  const cases = routes.flatMap(route => {
    const name = `${route.method} ${route.path}`
    const [outer = '', ...inner] = route.parameters
    const both = (there: Values, missing: Values) => ({
      strangers: requestOf(route, token, there),
      nobodys: requestOf(route, token, missing),
    })
    const inside = (values: Values): Values => {
      const { version } = route
      return { ...values, [version]: { ...values[version], [outer]: mine[version][outer] ?? '' } }
    }
    const isInside = inner.length > 0 && route.method !== 'PUT' // it would be added there
    return [
      { name, ...both(theirs, unknown) },
      ...(isInside ? [{ name: `${name}, in one's own`, ...both(inside(theirs), inside(unknown)) }] : []),
    ]
  })
  const body = (service_account: string) => ({ service_account, client_secret: 'wrong' })
  const post = { method: 'POST', path: '/api/v1/integration/auth/token' }
  const accounts = {
    strangers: { ...post, body: body('stranger') },
    nobodys: { ...post, body: body('strange0') },
  }
  return [...cases, { name: `POST ${post.path}`, ...accounts }].filter(({ name }) => name.includes(only))
}

async function compare(send: Send, cases: Case[]): Promise<void> {
  // Of so many comparisons of equals, one in a hundred runs shows a difference.
  const limit = 0.01 / cases.length
  let different = 0
  console.log(`${REQUESTS} requests each; medians: the other's, nobody's`)
  for (const each of cases) {
    const { strangers, nobodys } = await measure(send, each)
    const [there, missing] = [median(strangers), median(nobodys)]
    const p = mannWhitney(strangers, nobodys)
    if (p < limit) different += 1
    console.log(
      [
        each.name.padEnd(90),
        `${there.toFixed(0)} / ${missing.toFixed(0)} µs`.padStart(16),
        `ratio ${(there / missing).toFixed(3)}`,
        `p ${p.toFixed(4)}`,
        p < limit ? 'DIFFERENT' : 'alike',
      ].join('  '),
    )
  }
  console.log(`${cases.length} comparisons, ${different} different`)
}

async function measure(send: Send, { name, ...requests }: Case) {
  const micros: Record<keyof typeof requests, number[]> = { strangers: [], nobodys: [] }
  const warmUp = Math.ceil(REQUESTS / 10)
  for (let round = -warmUp; round < REQUESTS; round++) {
    const order =
      Math.random() < 0.5 ? (['strangers', 'nobodys'] as const) : (['nobodys', 'strangers'] as const)
    const answers = new Map<string, string>()
    for (const which of order) {
      const { status, body, micros: taken } = await send(requests[which])
      if (round >= 0) micros[which].push(taken)
      answers.set(which, `${status} ${body}`)
    }
    if (new Set([...answers.values()].map(withoutId)).size !== 1)
      throw new Error(`${name}: ${[...answers.values()].join(', ')}`)
  }
  return micros
}

/** Every answer has an id of its own. */
function withoutId(answer: string): string {
  return answer.replace(/"request_id":"[^"]*"/, '')
}
