import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@lectern/server/testing'
import { addUser, startService } from '../support/lectern.ts'
import { type Program, run, startExternalServer } from '../support/program.ts'
import type { Request } from './downloader.ts'

/** A server under test, with the path and token of the file. */
export interface ServerUnderTest {
  name: string
  url: string
  file: Pick<Request, 'path' | 'token'>
  programs: Program[]
}

const OWNER = { login: 'owner', password: 'correct horse battery' }
const here = dirname(fileURLToPath(import.meta.url))

/**
 * Lectern; Lectern behind an nginx that sends the bytes, and behind one that also remembers permissions (docs/install.md); and
 * an nginx alone that has the same file.
 */
export async function startServers(folder: string, path: string): Promise<ServerUnderTest[]> {
  const service = await startService(folder, {
    settings: {
      SVC_SERVER_TRUST_PROXY: 'loopback',
      SVC_STORAGE_SENDFILE_HEADER: 'X-Accel-Redirect',
      SVC_STORAGE_URL: join(folder, 'lectern-files'),
    },
  })
  await addUser(service, OWNER.login, OWNER.password)
  const store = [join(here, 'store.ts'), service.configFile, path, OWNER.login]
  const id = (await run(store, { SVC_STORAGE_URL: join(folder, 'lectern-files') })).trim()
  const file = { path: `/api/storage/blobs/${id}`, token: await signIn(service.url) }
  const { url, program: lectern } = service
  const [location, http, ranges] = recipes(folder)
  const upstream = `upstream lectern { server ${new URL(url).host}; keepalive 16; }`
  const proxy = await startNginx(join(folder, 'proxy'), `${upstream} ${forwarding(location)}`)
  const remembering = await startNginx(
    join(folder, 'remembering'),
    `${upstream} ${http} ${forwarding(`${location} ${ranges}`)}`,
  )
  const alone = await startNginx(join(folder, 'nginx'), `server { listen PORT; root ${dirname(path)}; }`)
  return [
    { name: 'lectern', url, file, programs: [lectern] },
    { name: 'behind nginx', url: proxy.url, file, programs: [lectern, proxy.program] },
    { name: 'remembering', url: remembering.url, file, programs: [lectern, remembering.program] },
    {
      name: 'nginx',
      url: alone.url,
      file: { path: `/${basename(path)}`, token: 'none' },
      programs: [alone.program],
    },
  ]
}

/** The three parts of the document, with other folders. */
function recipes(folder: string): [location: string, http: string, ranges: string] {
  const install = readFileSync(join(here, '../../docs/install.md'), 'utf8')
  const blocks = [...install.matchAll(/```nginx\n(.+?)```/gs)].map(([, text = '']) =>
    text.replaceAll('/srv', folder).replaceAll('/run/', `${folder}/`),
  )
  return blocks as [string, string, string]
}

const forwarding = (locations: string) => `
  server {
    listen PORT;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    location / { proxy_pass http://lectern; }
    ${locations}
  }
`

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1.0/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(OWNER),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** One process, like Lectern; Debian's settings for files (sendfile, tcp_nopush), no access log. */
async function startNginx(folder: string, servers: string): Promise<{ url: string; program: Program }> {
  mkdirSync(folder)
  const port = await freePort()
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  writeFileSync(
    join(folder, 'nginx.conf'),
    `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr error;
events {}
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  default_type application/octet-stream;
  ${paths.map(name => `${name}_temp_path ${folder};`).join('\n  ')}
  ${servers.replace('PORT', `127.0.0.1:${port}`)}
}
`,
  )
  const args = ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr']
  const program = await startExternalServer({ command: 'nginx', args, port, package: 'nginx' })
  return { url: `http://127.0.0.1:${port}`, program }
}
