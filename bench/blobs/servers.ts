import { mkdirSync, writeFileSync } from 'node:fs'
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

/** Lectern; Lectern behind an nginx that sends the bytes (docs/install.md); and an nginx alone that has the same file. */
export async function startServers(folder: string, path: string): Promise<ServerUnderTest[]> {
  const service = await startService(folder, {
    settings: { SVC_SERVER_TRUST_PROXY: 'loopback', SVC_STORAGE_SENDFILE_HEADER: 'X-Accel-Redirect' },
  })
  await addUser(service, OWNER.login, OWNER.password)
  const id = (await run([join(here, '../../blobs/store.mjs'), service.configFile, path, OWNER.login])).trim()
  const file = { path: `/api/storage/blobs/${id}`, token: await signIn(service.url) }
  const { url, program: lectern } = service
  const blobs = join(folder, 'data/blobs')
  const proxy = await startNginx(join(folder, 'proxy'), forwarding(new URL(url).host, blobs))
  const alone = await startNginx(join(folder, 'nginx'), `server { listen PORT; root ${dirname(path)}; }`)
  return [
    { name: 'lectern', url, file, programs: [lectern] },
    { name: 'behind nginx', url: proxy.url, file, programs: [lectern, proxy.program] },
    {
      name: 'nginx',
      url: alone.url,
      file: { path: `/${basename(path)}`, token: 'none' },
      programs: [alone.program],
    },
  ]
}

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1.0/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(OWNER),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

const forwarding = (host: string, blobs: string) => `
  upstream lectern { server ${host}; keepalive 16; }
  server {
    listen PORT;
    location / {
      proxy_pass http://lectern;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
    location /lectern-files/ {
      internal;
      alias ${blobs}/;
      etag off;
      add_header ETag $upstream_http_etag;
    }
  }
`

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
