import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { tarGz } from './tar.ts'

it('packs what the tar of the system unpacks: empty files, whole blocks, texts beyond ASCII', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-tar-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const files = { 'empty.txt': '', 'block.bin': 'x'.repeat(512), 'more.txt': `${'é😀'.repeat(300)}\n` }
  const entries = Object.entries(files).map(([name, content]) => ({ name, content }))
  const archive = join(folder, 'a.tar.gz')
  writeFileSync(archive, tarGz(entries, 1_700_000_000_123))
  execFileSync('tar', ['-xzf', archive, '-C', folder])
  for (const [name, content] of Object.entries(files)) {
    expect(readFileSync(join(folder, name), 'utf8')).toBe(content)
    const { mode, mtimeMs } = statSync(join(folder, name))
    expect([mode & 0o777, mtimeMs]).toEqual([0o600, 1_700_000_000_000])
  }
  expect(execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' }).trim().split('\n')).toEqual(
    Object.keys(files),
  )
})
