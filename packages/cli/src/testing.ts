import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Mutex } from '@lectern/common'
import { afterAll, beforeAll, vi } from 'vitest'
import { reportError } from './errors.ts'
import { createProgram } from './program.ts'

const program = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const READY_TIMEOUT_MS = 150_000

export interface CommandResult {
  code: number | null
  stdout: string
  stderr: string
}

/** Tests open no port to the network. */
const LOOPBACK_ONLY = { SVC_MEDIA_LISTEN_ON_HOST_ADDRESS: '0' }

type Options = { input?: string; env?: Record<string, string> }

/** Commands print to the output of this process: one at a time. */
const turns = new Mutex()

/**
 * Runs a command in this process, which takes a hundredth of what a process of its own takes, with the `lectern.ini` of
 * the folder. For what depends on the command alone: not on the exit of a process, its input and its working directory.
 */
const runHere = (folder: string, args: string[]): Promise<CommandResult> =>
  turns.run(async () => {
    const result: CommandResult = { code: 0, stdout: '', stderr: '' }
    const spies = (['stdout', 'stderr'] as const).map(name =>
      vi.spyOn(process[name], 'write').mockImplementation(text => {
        result[name] += text
        return true
      }),
    )
    vi.stubEnv('SVC_CONFIG', join(folder, 'lectern.ini'))
    try {
      await createProgram().parseAsync(args, { from: 'user' })
    } catch (error) {
      result.code = reportError(error)
    } finally {
      vi.unstubAllEnvs()
      for (const spy of spies) spy.mockRestore()
    }
    return result
  })

/** Runs the command line as a process. All processes and folders are removed after the tests of the file. */
export function useLectern() {
  const children: ChildProcess[] = []
  const folders: string[] = []

  vi.setConfig({ testTimeout: 240_000 }) // a test runs many commands, each of which takes seconds on a busy machine
  beforeAll(() => {
    if (!existsSync(program('dist/lectern.js')))
      throw new Error('Not built: run "npm run build" before these tests.')
  })
  afterAll(async () => {
    const left = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
    const ends = left.map(child => once(child, 'exit'))
    for (const child of left) child.kill('SIGKILL')
    await Promise.all(ends)
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  const start = (folder: string, args: string[], env: Record<string, string> = {}) => {
    const inherited = Object.entries(process.env).filter(([name]) => !/^(SVC_|NO_COLOR|LECTERN_)/.test(name))
    const child = spawn(process.execPath, [program('bin/lectern.js'), ...args], {
      cwd: folder,
      env: { ...Object.fromEntries(inherited), ...LOOPBACK_ONLY, ...env },
      stdio: 'pipe',
    })
    children.push(child)
    return child
  }

  /** Creates a folder, with a `lectern.ini` if `ini` is given. */
  const makeFolder = (ini?: string): string => {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-cli-'))
    folders.push(folder)
    if (ini !== undefined) writeFileSync(join(folder, 'lectern.ini'), ini)
    return folder
  }

  /** Runs a command and waits for its exit. */
  const run = async (
    folder: string,
    args: string[],
    { input = '', env }: Options = {},
  ): Promise<CommandResult> => {
    const child = start(folder, args, env)
    child.stdin.on('error', () => {}).end(input) // not every command reads standard input
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit') as Promise<[number | null]>,
    ])
    return { code, stdout, stderr }
  }

  /** Runs a command with --json that MUST succeed, and returns the printed object. */
  const json = async (folder: string, args: string[], options?: Options) =>
    printed(args, await run(folder, [...args, '--json'], options))

  /** The same in this process. */
  const here = {
    run: runHere,
    json: async (folder: string, args: string[]) => printed(args, await runHere(folder, [...args, '--json'])),
  }

  /** Starts a long-running command, and waits for its first line of output. */
  const launch = async (folder: string, args: string[], env?: Record<string, string>) => {
    const child = start(folder, args, env)
    const output = { stdout: '', stderr: '' }
    child.stderr.setEncoding('utf8').on('data', chunk => {
      output.stderr += chunk
    })
    const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
    await new Promise<void>((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', chunk => {
        output.stdout += chunk
        if (output.stdout.includes('\n')) resolve()
      })
      void ended.then(([code]) => reject(new Error(`exit ${code} before it was ready: ${output.stderr}`)))
      setTimeout(() => reject(new Error('not ready in time')), READY_TIMEOUT_MS).unref()
    })
    /** Sends the signal and returns the exit code. */
    const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
      child.kill(signal)
      return (await ended)[0]
    }
    return { child, output, ended, stop, first: () => JSON.parse(output.stdout.split('\n')[0] as string) }
  }

  return { makeFolder, start, run, json, launch, here }
}

function printed(args: string[], { code, stdout, stderr }: CommandResult) {
  if (code !== 0) throw new Error(`lectern ${args.join(' ')}: exit ${code}, ${stderr}`)
  return JSON.parse(stdout) // throws unless it is exactly one object
}

export const INI = `
[Server]
Port = 0
JwtSecret = 0123456789abcdef0123456789abcdef
[Integration]
Enabled = 1
[Recorder]
Embedded = 0
[Converter]
Embedded = 0
[Transcriber]
Embedded = 0
`

/** Sends a request with a JSON body, and returns the status and body of the response. */
export async function send(url: string, method: string, body?: object, token?: string) {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: body && JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}
