import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pollUntil } from '@lectern/common'

const STARTS_WITHIN_MS = 20_000
/** Another program may take a free port before nginx does. */
const ATTEMPTS = 5
const TEMPORARY_PATHS = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

/** Debian's nginx in front of a server. As root, its worker runs as www-data. */
export class Nginx {
  readonly url: string
  readonly #child: ChildProcess
  readonly #folder: string

  private constructor(url: string, child: ChildProcess, folder: string) {
    this.url = url
    this.#child = child
    this.#folder = folder
  }

  /** `locations`: further locations of its only server. */
  static async start(upstream: string, locations: string): Promise<Nginx> {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-nginx-'))
    chmodSync(folder, 0o755)
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const port = await freePort()
      const child = await run(folder, configuration(folder, port, upstream, locations))
      if (child) return new Nginx(`http://127.0.0.1:${port}`, child, folder)
    }
    throw new Error('nginx does not start')
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await ended
    rmSync(this.#folder, { recursive: true })
  }
}

/** Null if nginx has ended. Its pid file appears when it listens. */
async function run(folder: string, text: string): Promise<ChildProcess | null> {
  writeFileSync(join(folder, 'nginx.conf'), text)
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr']
  const child = spawn('nginx', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  await once(child, 'spawn')
  const isSettled = () => child.exitCode !== null || existsSync(join(folder, 'nginx.pid'))
  if (!(await pollUntil(isSettled, { intervalMs: 20, timeoutMs: STARTS_WITHIN_MS }))) child.kill('SIGKILL')
  return child.exitCode === null && !child.killed ? child : null
}

const configuration = (folder: string, port: number, upstream: string, locations: string) => `
daemon off;
pid ${folder}/nginx.pid;
${process.getuid?.() === 0 ? 'user www-data;' : ''}
worker_processes 1;
error_log stderr crit;
events {}
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  ${TEMPORARY_PATHS.map(name => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass ${upstream};
      proxy_http_version 1.1;
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
    }
    ${locations}
  }
}
`

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
