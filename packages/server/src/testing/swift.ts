import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { AwsClient } from 'aws4fetch'
import { sharedServer } from './test-run.ts'

/** The program lies beside the sources, also for the compiled tests. */
const PROGRAM = fileURLToPath(new URL('../../src/testing/run-swift.py', import.meta.url))
const [ACCOUNT, USER, SECRET] = ['lectern', 'test', 'swift-secret-of-tests']

/** The settings of the section [Storage] that lead to a bucket. */
export interface BucketSettings {
  Url: string
  S3Endpoint: string
  S3Region: string
  S3AccessKeyId: string
  S3SecretAccessKey: string
}

/** The one of all test files of a run, each of which takes buckets of its own. It ends with the run. */
export const sharedSwift = async (): Promise<Swift> => {
  const start = async (folder: string) => ({ endpoint: await startForRun(folder) })
  const stop = (folder: string) => `kill -- -$(cat '${folder}/pid')`
  const { endpoint } = await sharedServer('swift', { start, stop })
  return Swift.at(endpoint)
}

/** Starts it with a standard input that outlives the thread of the caller, and returns its endpoint. */
async function startForRun(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const log = join(folder, 'swift.log')
  const program = spawn('sh', ['-c', 'tail -f /dev/null | "$@" 2>> "$0"', log, ...command(folder, 0)], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true, // a process group, which the run ends
  })
  writeFileSync(join(folder, 'pid'), String(program.pid))
  const endpoint = await endpointOf(program.stdout, once(program, 'close'), folder)
  program.stdout.destroy()
  program.unref()
  return endpoint
}

/** Debian's Python, which has Debian's Swift. */
const command = (folder: string, port: number): [string, ...string[]] => [
  '/usr/bin/python3',
  PROGRAM,
  folder,
  String(port),
  ACCOUNT,
  USER,
  SECRET,
]

async function endpointOf(stdout: Readable, ended: Promise<unknown>, folder: string): Promise<string> {
  const first = await Promise.race([once(createInterface(stdout), 'line'), ended.then(() => null)])
  if (!first) throw new Error(`Swift did not start: see ${folder}/swift.log`)
  return `http://127.0.0.1:${JSON.parse(first[0]).port}`
}

/**
 * OpenStack Swift with its S3 API, on free ports of the loopback address. It ends with this process. Its data remain in the
 * folder: another start with the same folder and port continues it.
 */
export class Swift {
  readonly endpoint: string
  readonly #stop: () => Promise<void>

  private constructor(endpoint: string, stop: () => Promise<void>) {
    this.endpoint = endpoint
    this.#stop = stop
  }

  /** Resolves when it accepts requests. Its log is swift.log in the folder. */
  static async start(folder: string, port = 0): Promise<Swift> {
    mkdirSync(folder, { recursive: true })
    const [python, ...args] = command(folder, port)
    const program = spawn(python, args)
    program.stderr.pipe(createWriteStream(join(folder, 'swift.log'), { flags: 'a' }))
    const ended = once(program, 'close')
    const endpoint = await endpointOf(program.stdout, ended, folder)
    const stop = async () => {
      program.stdin.destroy() // all its processes end
      await ended
    }
    return new Swift(endpoint, stop)
  }

  /** One that others have started, and end. */
  static at = (endpoint: string) => new Swift(endpoint, async () => {})

  /** Creates the bucket if it does not exist, and returns the settings for it. */
  async bucket(name: string, prefix = ''): Promise<BucketSettings> {
    const settings = {
      Url: `s3://${name}${prefix && `/${prefix}`}`,
      S3Endpoint: this.endpoint,
      S3Region: 'us-east-1',
      S3AccessKeyId: `${ACCOUNT}:${USER}`,
      S3SecretAccessKey: SECRET,
    }
    const client = new AwsClient({
      accessKeyId: settings.S3AccessKeyId,
      secretAccessKey: SECRET,
      service: 's3',
      region: settings.S3Region,
    })
    const { ok, status } = await client.fetch(`${this.endpoint}/${name}`, { method: 'PUT' })
    if (!ok) throw new Error(`Swift refused to create a bucket: ${status}`)
    return settings
  }

  /** Settings of an account that signs in, and may do nothing. */
  asStranger(settings: BucketSettings): BucketSettings {
    return { ...settings, S3AccessKeyId: `${ACCOUNT}:stranger` }
  }

  /** Safe to call twice. */
  stop = (): Promise<void> => this.#stop()
}
