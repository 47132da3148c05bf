import { runDoctor } from '@lectern/server/operator'
import type { Command } from 'commander'
import { addCommand, type Common } from '../command.ts'
import { dim, green, print, red, yellow } from '../output.ts'

type Report = Awaited<ReturnType<typeof runDoctor>>

export function addDoctor(lectern: Command) {
  addCommand(lectern, 'doctor', 'check the configuration and the machine').action(examine)
}

async function examine(options: Common) {
  const report = await runDoctor(options.config)
  print(options, report, describe(report))
  process.exit(report.ok ? 0 : 1) // not waiting for what a check has given up on
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
  const total = `${count('ok')} fine, ${count('warn')} to look at, ${count('fail')} to mend`
  return [...lines, '', total].join('\n')
}
