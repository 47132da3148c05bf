import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const OWNER = 'owner'

/** Marks the folder as this process's, which removes it. */
export function markOwner(folder: string): void {
  writeFileSync(join(folder, OWNER), `${process.pid} ${startOf(process.pid)}`)
}

/**
 * Ends the containers and mounts, and removes the folders, of tests that were killed: those in `parent` with this prefix whose
 * process is not there any more. `crun` is the command of the runtime.
 */
export function removeLeftovers(prefix: string, crun: string, parent = tmpdir()): void {
  for (const name of readdirSync(parent)) {
    const folder = join(parent, name)
    if (!name.startsWith(prefix) || isOwned(folder)) continue
    const containers = join(folder, 'crun')
    for (const container of existsSync(containers) ? readdirSync(containers) : [])
      execFileSync(crun, ['--root', containers, 'delete', '--force', container])
    // The innermost first.
    for (const path of mountsBelow(folder).toReversed()) execFileSync('umount', [path])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A folder without a mark belongs to a process that has just created it, or to an earlier version: it stays. */
function isOwned(folder: string): boolean {
  const owner = join(folder, OWNER)
  if (!existsSync(owner)) return true
  const [pid, start] = readFileSync(owner, 'utf8').split(' ')
  return startOf(Number(pid)) === start
}

/** When the process began; null: there is none. Numbers of processes are used again. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}

const mountsBelow = (folder: string): string[] =>
  readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map(line => line.split(' ')[4] ?? '')
    .filter(path => path.startsWith(`${folder}/`))
