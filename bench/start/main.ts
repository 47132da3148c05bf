// Measures the first and the second `npm start` on a machine that has nothing but Debian, git and Node with npm: wall time
// to the printed links, and what each step takes.
import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { CleanMachine } from './clean-machine.ts'
import { StepTimes } from './step-times.ts'

/** Another version of Node, which npm has: what Lectern does on it. npm sets NODE itself. */
const { START_NODE } = process.env

const folder = mkdtempSync(join(tmpdir(), 'lectern-start-'))
try {
  const machine = new CleanMachine(
    folder,
    START_NODE ? installNode(START_NODE) : dirname(dirname(process.execPath)),
  )
  for (const which of ['first', 'second']) await measure(machine, which)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measure(machine: CleanMachine, which: string): Promise<void> {
  console.log(`\n${which} start`)
  const startedAt = performance.now()
  const child = machine.run('npm start')
  const times = new StepTimes(child.pid as number)
  await untilLinks(child)
  const seconds = (performance.now() - startedAt) / 1000
  const { total, steps } = times.end()
  console.log(`${which} start: ${seconds.toFixed(1)} s to the links, ${total.toFixed(1)} CPU s`)
  for (const { command, cpu } of steps) console.log(`  ${cpu.toFixed(1).padStart(6)} CPU s  ${command}`)
  const ended = once(child, 'exit')
  child.kill('SIGKILL') // and with it everything in its namespace
  await ended
}

/** Prints the lines of the preparation, which have the wall time of each step, until the first link of the room. */
async function untilLinks(child: ChildProcess): Promise<void> {
  if (!child.stdout) throw new Error('There is no output.')
  for await (const line of createInterface({ input: child.stdout })) {
    if (/\/j\/|#/.test(line) && line.includes('http')) return
    if (line.trim()) console.log(`  ${line}`)
  }
  throw new Error('npm start ended without links.')
}

function installNode(version: string): string {
  const npmPackage = `node-${process.platform}-${process.arch}`
  execFileSync('npm', ['install', '--no-save', '--prefix', folder, `${npmPackage}@${version}`])
  return join(folder, 'node_modules', npmPackage)
}
