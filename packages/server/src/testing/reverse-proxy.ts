import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Certificate } from './certificates.ts'
import { freePort } from './free-port.ts'

/** A reverse proxy in front of a server. */
export interface ReverseProxy {
  port: number
  /** Everything that it has logged. */
  log(): string
  stop(): Promise<void>
}

interface Options {
  /** The folder of the proxy; exists. */
  folder: string
  /** The address of the server, without `http://`. */
  server: string
  certificate: Certificate
}

const recipe = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../deploy/${path}`, import.meta.url)), 'utf8')

/** Replaces what an operator replaces; throws when the recipe does not contain it. */
function adapt(text: string, changes: [from: string, to: string][]): string {
  return changes.reduce((adapted, [from, to]) => {
    if (!adapted.includes(from)) throw new Error(`The recipe has no "${from}".`)
    return adapted.replaceAll(from, to)
  }, text)
}

/** nginx with the recipe of `deploy/`, over TLS. */
export async function startNginx({ folder, server, certificate }: Options): Promise<ReverseProxy> {
  const port = await freePort()
  const logs = ['access.log', 'error.log'].map(name => join(folder, name))
  const site = adapt(recipe('nginx/lectern.conf'), [
    ['    listen [::]:443 ssl http2;\n', ''],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
    ['server 127.0.0.1:8080;', `server ${server};`],
    ['/etc/letsencrypt/live/meet.example.org/fullchain.pem', certificate.cert],
    ['/etc/letsencrypt/live/meet.example.org/privkey.pem', certificate.key],
    ['/var/log/nginx/lectern.log', logs[0] as string],
    ['/var/log/nginx/lectern-error.log', logs[1] as string],
  ])
  return runNginx({ folder, port, user: 'root', site, logs })
}

/** nginx with both recipes of `deploy/`, in front of a server that speaks https and relays TURN. */
export async function startNginxStream({ folder, server, certificate }: Options): Promise<ReverseProxy> {
  const [port, httpsPort, strippedPort] = await Promise.all([1, 2, 3].map(() => freePort()))
  const site = adapt(recipe('nginx/lectern.conf'), [
    ['    listen [::]:443 ssl http2;\n', ''],
    [
      'listen 443 ssl http2;',
      `listen 127.0.0.1:${httpsPort} ssl http2 proxy_protocol;
    set_real_ip_from 127.0.0.1;
    real_ip_header proxy_protocol;`,
    ],
    ['server 127.0.0.1:8080;', `server ${server};`],
    ['proxy_pass http://lectern;', 'proxy_pass https://lectern;'],
    ['/etc/letsencrypt/live/meet.example.org/fullchain.pem', certificate.cert],
    ['/etc/letsencrypt/live/meet.example.org/privkey.pem', certificate.key],
    ['/var/log/nginx/', `${folder}/`],
  ])
  const stream = adapt(recipe('nginx/lectern-stream.conf'), [
    ['        listen [::]:443;\n', ''],
    ['listen 443;', `listen 127.0.0.1:${port};`],
    ['127.0.0.1:8442', `127.0.0.1:${httpsPort}`],
    ['127.0.0.1:8444', `127.0.0.1:${strippedPort}`],
    ['127.0.0.1:8443', server],
  ])
  const main = ['load_module /usr/lib/nginx/modules/ngx_stream_module.so;', stream] as const
  return runNginx({ folder, port: port as number, user: 'root', site, logs: [], main })
}

/** nginx without TLS and with further locations, for files that it sends itself. `http` is beside its only `server`. */
export async function startFileNginx({
  folder,
  server,
  locations,
  http = '',
}: Omit<Options, 'certificate'> & { locations: string; http?: string }): Promise<ReverseProxy> {
  const port = await freePort()
  const site = `
    sendfile on;
    tcp_nopush on;
    upstream lectern {
      server ${server};
      keepalive 4;
    }
    ${http}
    server {
      listen 127.0.0.1:${port};
      proxy_http_version 1.1;
      proxy_set_header Host $host;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      location / {
        proxy_pass http://lectern;
      }
      ${locations}
    }`
  return runNginx({ folder, port, user: 'www-data', site, logs: [] })
}

interface NginxSettings {
  folder: string
  port: number
  /** The user of the proxy's worker, if the tests run as root. */
  user: string
  /** The content of its `http` block. */
  site: string
  /** The log files that the site names. */
  logs: string[]
  /** Before and after its `http` block. */
  main?: readonly [before: string, after: string]
}

function runNginx({ folder, port, user, site, logs, main = ['', ''] }: NginxSettings): Promise<ReverseProxy> {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${join(folder, name)};`,
  )
  const errors = join(folder, 'main.log')
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `
    ${main[0]}
    ${process.getuid?.() === 0 ? `user ${user};` : ''}
    daemon off;
    worker_processes 1;
    pid ${join(folder, 'nginx.pid')};
    error_log ${errors};
    events {}
    http { access_log off; ${temporary.join(' ')} ${site} }
    ${main[1]}`,
  )
  const child = spawn('nginx', ['-p', folder, '-e', errors, '-c', file], { stdio: 'pipe' })
  return started('nginx', child, port, () => [...logs, errors].map(readIfAny).join(''))
}

/** Caddy with the recipe of `deploy/`. */
export async function startCaddy({ folder, server, certificate }: Options): Promise<ReverseProxy> {
  const port = await freePort()
  const site = adapt(recipe('caddy/Caddyfile'), [
    ['{\n\t# The addresses', '{\n\tadmin off\n\tauto_https disable_redirects\n\t# The addresses'],
    [
      'meet.example.org {',
      `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate.cert} ${certificate.key}`,
    ],
    ['reverse_proxy 127.0.0.1:8080', `reverse_proxy ${server}`],
  ])
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, site)
  mkdirSync(join(folder, 'home'), { recursive: true })
  const home = { HOME: join(folder, 'home'), XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    env: { PATH: process.env.PATH, ...home },
    stdio: 'pipe',
  })
  return started('caddy', child, port, () => '')
}

async function started(
  name: string,
  child: ChildProcess,
  port: number,
  files: () => string,
): Promise<ReverseProxy> {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', chunk => {
      output += chunk
    })
  const ended = once(child, 'exit') // rejects when there is no such program
  const log = () => output + files()
  let isEnded = false
  const end = ended.then(
    () => {
      isEnded = true
    },
    (error: Error) => {
      isEnded = true
      output += error.message
    },
  )
  while (!(await isOpen(port))) {
    if (isEnded) throw new Error(`${name} did not start: ${log()}`)
    await sleep(20)
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await end
  }
  return { port, log, stop }
}

function readIfAny(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const isOpen = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy())
  })
