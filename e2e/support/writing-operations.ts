import type { PartnerClient } from '@lectern/partner'
import { expect } from 'vitest'
import type { Account, Lectern } from './lectern.ts'

export interface Operation {
  /** The route as in the API reference. */
  name: `${'POST' | 'PUT' | 'PATCH' | 'DELETE'} ${string}`
  path?: string
  token?: string
  headers?: Record<string, string>
  body?: Record<string, unknown>
}

export const ADMINISTRATION = '/api/v1.0/admin/'
/** Every administrative action begins with a row of the audit log: one of them is tested for all. */
export const ADMINISTRATIVE_ACTION = `PATCH ${ADMINISTRATION}users/{user_id}` as const

const ROOMS = '/api/v1/integration/rooms'
const V2 = '/api/v2/integration'
const WEBHOOK = '/api/v1/integration/webhook'
const CONFERENCES = '/api/v1.0/conferences'

export const UNAVAILABLE = {
  status: 503,
  retryAfter: expect.stringMatching(/^[1-9]\d*$/),
  body: { result: 503, code: 'temporarily_unavailable', message: expect.any(String) },
}

/** A request for each writing route of the API reference, on a running service; each works once. */
export function writingOperations(lectern: Lectern) {
  async function partnerOperations(partner: PartnerClient, account: Account): Promise<Operation[]> {
    const { access_token: token } = await call('POST', '/api/v1/integration/auth/token', {
      body: { service_account: account.serviceAccount, client_secret: account.clientSecret },
    })
    for (const id of ['changed', 'cancelled', 'closed']) await partner.createRoom(id)
    const teacher = { display_name: 'Anna', external_id: 'anna' }
    const room = await partner.createRoom('with-person', { teacher })
    const link = room.teacher_join_url.split('/j/')[1] as string
    const webhook = { url: 'https://partner.example/hook', secret: 'a secret of enough characters' }
    await call('PUT', WEBHOOK, { token, body: { ...webhook, enabled: true } })
    return [
      { name: `PUT ${ROOMS}/{external_id}`, path: `${ROOMS}/new`, token },
      { name: `PATCH ${ROOMS}/{external_id}`, path: `${ROOMS}/changed`, token, body: { title: 'Changed' } },
      { name: `POST ${ROOMS}/{external_id}/cancel`, path: `${ROOMS}/cancelled/cancel`, token },
      { name: `POST ${ROOMS}/{external_id}/close`, path: `${ROOMS}/closed/close`, token },
      { name: `PUT ${WEBHOOK}`, token, body: { ...webhook, enabled: true } },
      { name: `POST ${WEBHOOK}/rotate`, token, body: { secret: 'another secret of enough characters' } },
      { name: `POST ${WEBHOOK}/test`, token },
      { name: `DELETE ${WEBHOOK}`, token },
      { name: 'POST /api/v1/integration/join/{token}', path: `/api/v1/integration/join/${link}` },
    ]
  }

  async function secondVersionOperations(account: Account): Promise<Operation[]> {
    const { access_token: token } = await call('POST', '/api/v1/integration/auth/token', {
      body: { service_account: account.serviceAccount, client_secret: account.clientSecret },
    })
    const room = `${V2}/rooms/{external_id}`
    const [own, gone] = [`${V2}/rooms/second`, `${V2}/rooms/deleted`]
    const ben = { display_name: 'Ben', role: 'student' }
    for (const path of [own, gone]) await call('PUT', path, { token, body: { title: 'Second' } })
    for (const id of ['ben', 'left']) await call('PUT', `${own}/people/${id}`, { token, body: ben })
    const url = 'https://partner.example/events'
    const endpoints = [
      await call('POST', `${V2}/endpoints`, { token, body: { url } }),
      await call('POST', `${V2}/endpoints`, { token, body: { url } }),
    ]
    const [kept, removed] = endpoints.map(({ id }) => `${V2}/endpoints/${id}`)
    const endpoint = `${V2}/endpoints/{endpoint_id}`
    const person = `${room}/people/{person_external_id}`
    return [
      { name: `PUT ${room}`, path: `${V2}/rooms/created`, token, body: { title: 'Created' } },
      { name: `PATCH ${room}`, path: own, token, body: { title: 'Changed' } },
      { name: `DELETE ${room}`, path: gone, token },
      { name: `PUT ${person}`, path: `${own}/people/new`, token, body: ben },
      { name: `POST ${person}/rotate`, path: `${own}/people/ben/rotate`, token },
      { name: `DELETE ${person}`, path: `${own}/people/left`, token },
      { name: `POST ${V2}/endpoints`, token, body: { url } },
      { name: `PATCH ${endpoint}`, path: kept as string, token, body: { description: 'Changed' } },
      { name: `POST ${endpoint}/rotate`, path: `${kept}/rotate`, token },
      { name: `POST ${endpoint}/test`, path: `${kept}/test`, token },
      { name: `DELETE ${endpoint}`, path: removed as string, token },
    ]
  }

  async function ownerOperations({ serviceAccount }: Account): Promise<Operation[]> {
    const { login = '', password = '' } = await lectern.command('user', 'add', 'owner')
    await lectern.command('service-account', 'add-owner', serviceAccount, login)
    const { access_token: token } = await call('POST', '/api/v1.0/auth/login', { body: { login, password } })
    const owner = { token, headers: { 'lectern-service-account': serviceAccount } }
    return [
      { name: `POST ${V2}/client-secret/rotate`, ...owner },
      { name: `POST ${V2}/client-secret/rotate/finish`, ...owner },
    ]
  }

  async function userOperations(): Promise<Operation[]> {
    const { login = '', password = '' } = await lectern.command('user', 'add', 'anna')
    const signIn = () => call('POST', '/api/v1.0/auth/login', { body: { login, password } })
    const [user, refreshed, ended] = [await signIn(), await signIn(), await signIn()]
    const token = String(user.access_token)
    const create = () => call('POST', CONFERENCES, { token, body: { title: 'Mine' } })
    const [renamed, removed] = [await create(), await create()]
    return [
      { name: 'POST /api/v1.0/auth/login', body: { login, password } },
      { name: 'POST /api/v1.0/auth/refresh', body: { refresh_token: refreshed.refresh_token } },
      { name: 'POST /api/v1.0/auth/logout', body: { refresh_token: ended.refresh_token } },
      { name: 'POST /api/v1.0/auth/guest', body: { display_name: 'Guest' } },
      ...(await accountOperations(token, password)),
      await administrativeOperation(),
      { name: `POST ${CONFERENCES}`, token, body: { title: 'Another' } },
      {
        name: `PATCH ${CONFERENCES}/{tag}`,
        path: `${CONFERENCES}/${renamed.tag}`,
        token,
        body: { title: 'Renamed' },
      },
      { name: `DELETE ${CONFERENCES}/{tag}`, path: `${CONFERENCES}/${removed.tag}`, token },
      ...(await memberOperations(token)),
    ]
  }

  async function memberOperations(token: string): Promise<Operation[]> {
    for (const login of ['carla', 'dora']) await lectern.command('user', 'add', login)
    const { tag } = await call('POST', CONFERENCES, { token, body: { title: 'With members' } })
    const members = `${CONFERENCES}/${tag}/members`
    const { user_id } = await call('POST', members, { token, body: { login: 'carla' } })
    return [
      { name: `POST ${CONFERENCES}/{tag}/members`, path: members, token, body: { login: 'dora' } },
      { name: `DELETE ${CONFERENCES}/{tag}/members/{user_id}`, path: `${members}/${user_id}`, token },
    ]
  }

  async function administrativeOperation(): Promise<Operation> {
    const { login = '', password = '' } = await lectern.command(
      'user',
      'add',
      'boss',
      '--capability',
      'admin',
    )
    const { access_token, user } = await call('POST', '/api/v1.0/auth/login', { body: { login, password } })
    const { user_id } = user as unknown as { user_id: number }
    const path = `${ADMINISTRATION}users/${user_id}`
    return { name: ADMINISTRATIVE_ACTION, path, token: String(access_token), body: { display_name: 'Boss' } }
  }

  async function accountOperations(token: string, password: string): Promise<Operation[]> {
    const me = '/api/v1.0/me'
    const { sign_ins } = await call('GET', `${me}/sign-ins`, { token })
    const last = (sign_ins as unknown as { id: string; is_current: boolean }[]).find(each => !each.is_current)
    const { link = '' } = await lectern.command('user', 'invite', 'ben')
    const invitations = '/api/v1.0/invitations'
    await call('POST', `${me}/calendar`, { token })
    return [
      { name: `PATCH ${me}`, token, body: { display_name: 'Anna P.' } },
      { name: `POST ${me}/password`, token, body: { current: password, new: password } },
      { name: `DELETE ${me}/sign-ins/{id}`, path: `${me}/sign-ins/${last?.id}`, token },
      { name: `DELETE ${me}/sign-ins`, token },
      { name: `POST ${me}/calendar`, token },
      { name: `DELETE ${me}/calendar`, token },
      {
        name: `POST ${invitations}/{token}`,
        path: `${invitations}/${link.split('/').at(-1)}`,
        body: { password },
      },
    ]
  }

  async function call(method: string, path: string, options: Omit<Operation, 'name'>) {
    const answer = await send(method, path, options)
    expect(answer.status, `${method} ${path}`).toBeLessThan(300)
    return answer.body
  }

  async function send(method: string, path: string, { token, headers, body }: Omit<Operation, 'name'>) {
    const response = await fetch(lectern.url + path, {
      method,
      headers: {
        ...headers,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    })
    const retryAfter = response.headers.get('retry-after')
    return { status: response.status, retryAfter, body: (await response.json()) as Record<string, string> }
  }

  const perform = ({ name, path, ...rest }: Operation) => {
    const [method = '', template = ''] = name.split(' ')
    return send(method, path ?? template, rest)
  }

  const prepare = async (): Promise<Operation[]> => {
    const account = await lectern.addAccount()
    const partner = lectern.client(account)
    return [
      ...(await partnerOperations(partner, account)),
      ...(await secondVersionOperations(account)),
      ...(await ownerOperations(account)),
      ...(await userOperations()),
    ]
  }
  return { prepare, perform }
}
