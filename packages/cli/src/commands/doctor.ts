import { runDoctor } from '@lectern/server/operator'
import type { Command } from 'commander'
import { addCommand, type CommonOptions } from '../command.ts'
import { dim, green, print, red, yellow } from '../output.ts'

type Report = Awaited<ReturnType<typeof runDoctor>>

export function addDoctor(lectern: Command) {
  addCommand(lectern, 'doctor', 'check the configuration and this machine')
    .option('--media-node', 'check what a media node needs')
    .action(examine)
}

async function examine(options: CommonOptions & { mediaNode?: true }) {
  const report = await runDoctor(options.config, process.env, options.mediaNode ? 'media-node' : 'server')
  print(options, report, describe(report))
  process.exit(report.ok ? 0 : 1) // does not wait for checks that timed out
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
