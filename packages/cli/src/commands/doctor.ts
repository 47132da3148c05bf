import { writeFileSync } from 'node:fs'
import { createSupportBundle, deploymentIdOf, loadConfig, runDoctor } from '@lectern/server/operator'
import type { Command } from 'commander'
import { addCommand, type CommonOptions } from '../command.ts'
import { CliError } from '../errors.ts'
import { dim, green, print, red, yellow } from '../output.ts'
import { outsideCommand } from './outside.ts'

type Report = Awaited<ReturnType<typeof runDoctor>>

export function addDoctor(lectern: Command) {
  addCommand(lectern, 'doctor', 'check the configuration and this machine')
    .option('--media-node', 'check what a media node needs')
    .option('--bundle <file>', 'write an archive (.tar.gz) for people who help you; it contains no secrets')
    .option(
      '--log <file>',
      'with --bundle: the log of the service, "-" for standard input (default: its journal)',
    )
    .option(
      '--from <host>',
      'print a command that tests from another machine whether browsers outside of your network reach this server',
    )
    .action(examine)
}

interface DoctorOptions extends CommonOptions {
  mediaNode?: true
  bundle?: string
  log?: string
  from?: string
}

async function examine(options: DoctorOptions) {
  const { config, bundle: file, log, from } = options
  if (from !== undefined) return printOutsideCommand(from, options)
  if (log !== undefined && file === undefined) throw new CliError('--log needs --bundle.')
  const check = () => runDoctor(config, process.env, options.mediaNode ? 'media-node' : 'server')
  const bundle = file === undefined ? null : await createSupportBundle({ config, log }, check)
  const report = bundle?.report ?? (await check())
  if (!bundle || file === undefined) print(options, report, describe(report))
  else {
    const { archive, files } = bundle
    write(file, archive)
    const wrote = `Wrote ${file} (${Math.ceil(archive.length / 1024)} KiB): ${files.join(', ')}`
    print(
      options,
      { ...report, bundle: { file, bytes: archive.length, files } },
      `${describe(report)}\n\n${wrote}`,
    )
  }
  process.exit(report.ok ? 0 : 1) // does not wait for checks that timed out
}

function printOutsideCommand(host: string, options: DoctorOptions): void {
  if (!/^[\w.@:-]+$/.test(host) || host.startsWith('-'))
    throw new CliError('Name a host as ssh does: HOST or USER@HOST.')
  const config = loadConfig(options.config)
  const { PublicUrl } = config.Integration
  const deployment = deploymentIdOf(config)
  if (PublicUrl === '' || deployment === null)
    throw new CliError('Set [Integration] PublicUrl and [Server] JwtSecret first.')
  const command = outsideCommand(host, PublicUrl, deployment)
  print(options, { command }, command)
}

/** Only for the present user; never over another file. */
function write(file: string, archive: Buffer): void {
  try {
    writeFileSync(file, archive, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST'
    throw isThere ? new CliError(`${file} exists already.`) : error
  }
}

const colours = { ok: green, warn: yellow, fail: red }

function describe({ checks }: Report): string {
  const width = Math.max(...checks.map(({ name }) => name.length))
  const lines = checks.flatMap(check => {
    const status = colours[check.status](check.status.padEnd(4), process.stdout)
    const line = `${status}  ${check.name.padEnd(width)}  ${check.says}`
    const indent = ' '.repeat(width + 8)
    return check.status === 'ok' ? [line] : [line, dim(`${indent}${check.todo}`, process.stdout)]
  })
  const count = (status: string) => checks.filter(check => check.status === status).length
  const total = `${count('ok')} passed, ${plural(count('warn'), 'warning')}, ${plural(count('fail'), 'error')}`
  return [...lines, '', total].join('\n')
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
