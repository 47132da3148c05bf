import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { AwsClient } from 'aws4fetch'

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

let shared: Promise<Swift> | undefined

/** The one of all test files of a process, each of which takes buckets of its own. */
export const sharedSwift = (): Promise<Swift> => {
  shared ??= startShared()
  return shared
}

function startShared(): Promise<Swift> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-swift-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return Swift.start(folder)
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
    const args = [PROGRAM, folder, String(port), ACCOUNT, USER, SECRET]
    // Debian's Python, which has Debian's Swift.
    const program = spawn('/usr/bin/python3', args)
    program.stderr.pipe(createWriteStream(join(folder, 'swift.log'), { flags: 'a' }))
    const ended = once(program, 'close')
    const line = once(createInterface(program.stdout), 'line')
    const first = await Promise.race([line, ended.then(() => null)])
    if (!first) throw new Error(`Swift did not start: see ${folder}/swift.log`)
    const stop = async () => {
      program.stdin.destroy() // all its processes end
      await ended
    }
    return new Swift(`http://127.0.0.1:${JSON.parse(first[0]).port}`, stop)
  }

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
