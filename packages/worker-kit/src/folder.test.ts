import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { takeFolder, workerIdIn } from './folder.ts'

const root = mkdtempSync(join(tmpdir(), 'lectern-kit-'))
afterAll(() => rmSync(root, { recursive: true }))

describe('the folder of a worker', () => {
  it('keeps the name by which the server knows it', async () => {
    const id = await workerIdIn(root)
    expect(id).toMatch(/^worker-[0-9a-f-]{36}$/)
    expect(await workerIdIn(root)).toBe(id)
    writeFileSync(join(root, 'worker-id'), '') // as after a full disk
    expect(await workerIdIn(root)).not.toBe(id)
  })

  it('is taken once', async () => {
    const folder = join(root, 'taken')
    await takeFolder(folder)
    await expect(takeFolder(folder, 0)).rejects.toThrow('another process uses the folder')
    await takeFolder(join(root, 'other'), 0)
  })
})
