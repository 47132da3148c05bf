import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRemoteJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose'

const CLAIM = 'https://purl.imsglobal.org/spec/lti/claim'
const ROLE = 'http://purl.imsglobal.org/vocab/lis/v2/membership'

export interface LaunchingUser {
  sub: string
  name: string
  role: 'Instructor' | 'Learner'
}

export interface ToolRegistration {
  initiate_login_uri: string
  redirect_uris: [string]
  jwks_uri: string
}

/** The claims of the platform in id tokens, beside those that are always in them. */
export type Claims = Record<string, unknown>

/** A learning management system as far as LTI 1.3 needs one: registration, login, launch, members, scores and storage. */
export async function startTestPlatform() {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'platform', alg: 'RS256', use: 'sig' }] }
  const scores: { path: string; body: Record<string, unknown> }[] = []
  const members: object[] = []
  let tool: ToolRegistration | null = null
  let user: LaunchingUser = { sub: 'u1', name: 'Anna', role: 'Instructor' }
  let claims: Claims = {}
  let scoreStatus = 200
  let refusedScores = 0
  let hasKeys = true
  let refusesTools = false
  let pageSize = Number.POSITIVE_INFINITY

  const resourceClaims = (): Claims => ({
    [`${CLAIM}/message_type`]: 'LtiResourceLinkRequest',
    [`${CLAIM}/resource_link`]: { id: 'link-1', title: 'Algebra' },
    'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint': {
      scope: ['https://purl.imsglobal.org/spec/lti-ags/scope/score'],
      lineitem: `${url}/items/1?type_id=5`,
    },
    'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice': {
      context_memberships_url: `${url}/members`,
    },
  })
  const sign = (
    nonce: string,
    {
      key = privateKey,
      kid = 'platform',
      ...changes
    }: Claims & { key?: typeof privateKey; kid?: string } = {},
  ) =>
    new SignJWT({
      nonce,
      name: user.name,
      [`${CLAIM}/version`]: '1.3.0',
      [`${CLAIM}/deployment_id`]: 'd1',
      [`${CLAIM}/roles`]: [`${ROLE}#${user.role}`],
      ...resourceClaims(),
      ...claims,
      ...changes,
    })
      .setProtectedHeader({ alg: 'RS256', kid })
      .setIssuer(url)
      .setAudience('lectern-client')
      .setSubject(user.sub)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(key)

  const pages: Record<
    string,
    (request: IncomingMessage, query: URLSearchParams) => Promise<unknown> | unknown
  > = {
    '/configuration': () => ({
      issuer: url,
      authorization_endpoint: `${url}/auth`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/jwks`,
      registration_endpoint: `${url}/register`,
    }),
    '/jwks': () => (hasKeys ? jwks : 503),
    '/register': async request => {
      if (refusesTools) return 403
      tool = JSON.parse(await bodyOf(request)) as ToolRegistration
      return { client_id: 'lectern-client' }
    },
    '/token': async request => {
      const assertion = new URLSearchParams(await bodyOf(request)).get('client_assertion') as string
      const keys = createRemoteJWKSet(new URL((tool as ToolRegistration).jwks_uri))
      await jwtVerify(assertion, keys, { issuer: 'lectern-client', audience: `${url}/token` })
      return { access_token: 'granted', expires_in: 3600 }
    },
    '/members': (request, query) => {
      const from = Number(query.get('from') ?? 0)
      const page = { members: members.slice(from, from + pageSize) }
      const next = `<http://${request.headers.host}/members?from=${from + pageSize}>; rel="next"`
      return from + pageSize < members.length ? new Page(page, next) : page
    },
    '/items/1/scores': async request => {
      const body = JSON.parse(await bodyOf(request)) as Record<string, unknown>
      if (scoreStatus === 200) scores.push({ path: request.url as string, body })
      else refusedScores++
      return scoreStatus
    },
    '/auth': async (_, query) =>
      form(query.get('redirect_uri') as string, {
        id_token: await sign(query.get('nonce') as string),
        state: query.get('state') as string,
      }),
    // What a teacher has added comes back to the course.
    '/return': async request => {
      const token = new URLSearchParams(await bodyOf(request)).get('JWT') as string
      const { payload } = await jwtVerify(
        token,
        createRemoteJWKSet(new URL((tool as ToolRegistration).jwks_uri)),
      )
      return `Added: ${JSON.stringify(payload['https://purl.imsglobal.org/spec/lti-dl/claim/content_items'])}`
    },
    // A course: its page answers put_data and get_data, and shows the lesson in a frame.
    '/course': () => coursePage(`${(tool as ToolRegistration).initiate_login_uri}?${loginQuery('_parent')}`),
    '/course-without-storage': () =>
      coursePage(`${(tool as ToolRegistration).initiate_login_uri}?${loginQuery()}`),
  }
  const loginQuery = (storageTarget?: string) =>
    new URLSearchParams({
      iss: url,
      client_id: 'lectern-client',
      login_hint: user.sub,
      target_link_uri: (tool as ToolRegistration).redirect_uris[0],
      ...(storageTarget && { lti_storage_target: storageTarget }),
    })

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url as string, 'http://platform')
    const answer = await Promise.resolve(pages[pathname]?.(request, searchParams) ?? 404).catch(() => 401)
    send(response, answer)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    url,
    scores,
    members,
    loginQuery,
    sign,
    configuration: () => tool,
    /** Whom the next launch is of, and what its id token says differently. */
    launchAs: (next: LaunchingUser, changes: Claims = {}) => {
      user = next
      claims = changes
    },
    setHasKeys: (value: boolean) => {
      hasKeys = value
    },
    /** Refuses registrations, or accepts them again. */
    refuseTools: (value: boolean) => {
      refusesTools = value
    },
    /** How many members of a course are on a page. */
    setPageSize: (size: number) => {
      pageSize = size
    },
    refusedScores: () => refusedScores,
    failScores: (status: number) => {
      scoreStatus = status
    },
    close: () => new Promise(resolve => server.close(resolve).closeAllConnections()),
  }
}

/** A page of a list, with the link to the next one. */
class Page {
  readonly content: object
  readonly link: string

  constructor(content: object, link: string) {
    this.content = content
    this.link = link
  }
}

function send(response: ServerResponse, answer: unknown): void {
  if (answer instanceof Page)
    response
      .writeHead(200, { 'content-type': 'application/json', link: answer.link })
      .end(JSON.stringify(answer.content))
  else if (typeof answer === 'number') response.writeHead(answer).end()
  else if (typeof answer === 'string')
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(answer)
  else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const form = (action: string, fields: Record<string, string>) =>
  `<form method="post" action="${action}">${Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
    .join('')}</form><script>document.forms[0].submit()</script>`

const coursePage = (lesson: string) => `<!doctype html><title>Course</title>
<iframe title="Lesson" width="1000" height="700" allow="camera *; microphone *; display-capture *"
  src="${lesson.replaceAll('&', '&amp;')}"></iframe>
<script>
const stored = new Map()
addEventListener('message', ({ data, source, origin }) => {
  if (data?.subject !== 'lti.put_data' && data?.subject !== 'lti.get_data') return
  if (data.subject === 'lti.put_data') stored.set(origin + data.key, data.value)
  const value = stored.get(origin + data.key)
  source.postMessage({ subject: data.subject + '.response', message_id: data.message_id, key: data.key, value }, origin)
})
</script>`
