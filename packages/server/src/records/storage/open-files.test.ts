import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { OpenFiles } from './open-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-open-'))
const path = join(folder, 'file')
writeFileSync(path, 'x')
afterEach(() => void vi.useRealTimers())
afterAll(() => rmSync(folder, { recursive: true }))

const missing = { code: 'ENOENT' }

describe('OpenFiles', () => {
  it('shares one handle between readers and keeps it open for a moment', async () => {
    const files = new OpenFiles()
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const [one, two] = await Promise.all([files.open(path), files.open(path)])
    expect(one.handle).toBe(two.handle)
    one.release()
    two.release()
    vi.advanceTimersByTime(999)
    const again = await files.open(path)
    expect(again.handle).toBe(one.handle)
    vi.advanceTimersByTime(5000)
    expect((await again.handle.stat()).size).toBe(1) // it is in use
    again.release()
    vi.advanceTimersByTime(1000)
    await expect.poll(() => one.handle.fd).toBe(-1)
    const reopened = await files.open(path)
    expect(reopened.handle).not.toBe(one.handle)
    await reopened.handle.close()
  })

  it('rejects all readers of a missing file, and retries later', async () => {
    const files = new OpenFiles()
    const late = join(folder, 'late')
    for (const opening of [files.open(late), files.open(late)])
      await expect(opening).rejects.toMatchObject(missing)
    writeFileSync(late, 'x')
    await (await files.open(late)).handle.close()
  })

  it('closes files immediately when many are open', async () => {
    const files = new OpenFiles()
    const paths = Array.from({ length: 300 }, (_, i) => join(folder, String(i)))
    for (const each of paths) writeFileSync(each, 'x')
    const open = await Promise.all(paths.map(each => files.open(each)))
    for (const each of open) each.release()
    const stillOpen = () => open.filter(({ handle }) => handle.fd !== -1).length
    await expect.poll(() => stillOpen()).toBe(256)
    await expect.poll(() => stillOpen()).toBe(0)
  })
})
