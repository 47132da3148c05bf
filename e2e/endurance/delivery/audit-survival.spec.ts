import type { AuditRecord } from '@lectern/protocol'
import { expect, it } from 'vitest'
import { addUser, signInAs } from '../../support/accounts.ts'
import { useLectern } from '../../support/lectern.ts'

const ACTIONS_PER_KILL = 60
const KILLS = 3

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0' }))

it('AUDIT-1 kill -9 between an audit row and its action leaves no action without a row, and no row with a false outcome', async () => {
  const boss = await addUser(lectern, 'boss', { capabilities: ['admin'] })
  const { access_token: token } = await signInAs(lectern, boss)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const send = (path: string, body?: object) =>
    fetch(`${lectern.url}/api/v1.0/admin${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  const read = async (path: string) => {
    const response = await send(path)
    expect(response.status).toBe(200)
    return response.json()
  }
  /** Logins for which the server answered that they were created. */
  const acknowledged: string[] = []
  const create = async (login: string) => {
    const response = await send('/users', { login, invite: true })
    if (response.status === 200) acknowledged.push(login)
  }

  let interrupted = 0
  for (let round = 1; round <= KILLS; round++) {
    const logins = Array.from({ length: ACTIONS_PER_KILL }, (_, i) => `user-${round}-${i}`)
    const answers = logins.map(create)
    await Promise.race(answers.map(answer => answer.catch(() => {})))
    await lectern.stop('SIGKILL')
    await Promise.allSettled(answers)
    await lectern.start()

    const { users } = await read(`/users?search=user-${round}-&limit=200`)
    const existing = users.map(({ login }: { login: string }) => login)
    const { records } = await read('/audit?action=user.create&limit=200')
    const rowOf = new Map((records as AuditRecord[]).map(record => [record.target, record]))
    for (const login of logins) {
      const outcome = rowOf.get(login)?.outcome
      if (existing.includes(login)) expect(outcome, login).toMatch(/^(started|done)$/)
      else expect([undefined, 'started'], login).toContain(outcome)
      if (acknowledged.includes(login)) expect([existing.includes(login), outcome]).toEqual([true, 'done'])
      if (outcome === 'started') interrupted++
    }
  }
  console.log(`${interrupted} interrupted actions`)
})
