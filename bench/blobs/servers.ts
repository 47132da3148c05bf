import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { signIn, startService } from '../support/lectern.ts'
import { freePort, type Program, run, startExternalServer } from '../support/program.ts'
import type { Request } from './downloader.ts'

/** A server under test, with the path and token of the file. */
export interface ServerUnderTest {
  name: string
  url: string
  file: Pick<Request, 'path' | 'token'>
  program: Program
}

const here = dirname(fileURLToPath(import.meta.url))

export async function startLectern(folder: string, file: string): Promise<ServerUnderTest> {
  const service = await startService(folder, { scopes: ['integration:rooms', 'blob'] })
  const id = await run([join(here, '../../blobs/store.mjs'), service.configFile, file])
  const path = `/api/storage/blobs/${id.trim()}`
  const { url, program } = service
  return { name: 'lectern', url, file: { path, token: await signIn(service) }, program }
}

/** One process, like Lectern; Debian's settings for files (sendfile, tcp_nopush), no access log. */
export async function startNginx(folder: string, file: string): Promise<ServerUnderTest> {
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
  server {
    listen 127.0.0.1:${port};
    root ${dirname(file)};
  }
}
`,
  )
  const args = ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr']
  const program = await startExternalServer({ command: 'nginx', args, port, package: 'nginx-light' })
  const url = `http://127.0.0.1:${port}`
  return { name: 'nginx', url, file: { path: `/${basename(file)}`, token: 'none' }, program }
}
