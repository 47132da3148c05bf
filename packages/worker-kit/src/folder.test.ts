import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { lockFolder, workerIdIn } from './folder.ts'

const root = mkdtempSync(join(tmpdir(), 'lectern-kit-'))
afterAll(() => rmSync(root, { recursive: true }))

describe('worker folder', () => {
  it('keeps its worker_id across restarts', async () => {
    const id = await workerIdIn(root)
    expect(id).toMatch(/^worker-[0-9a-f-]{36}$/)
    expect(await workerIdIn(root)).toBe(id)
    writeFileSync(join(root, 'worker-id'), '') // as after a full disk
    expect(await workerIdIn(root)).not.toBe(id)
  })

  it('is locked by one process at a time', async () => {
    const folder = join(root, 'taken')
    await lockFolder(folder)
    await expect(lockFolder(folder, 0)).rejects.toThrow('another process uses the folder')
    await lockFolder(join(root, 'other'), 0)
  })
})
