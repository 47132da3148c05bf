import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { LastTime } from './last-time.ts'

it('the time at which a server ran last says by how much the clock was set back since', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-last-time-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'last-time')
  const setBackAt = async (nowMs: number) => {
    const lastTime = new LastTime(file, () => nowMs)
    await lastTime.read()
    return lastTime.setBackMs
  }
  expect(await setBackAt(1_000)).toBe(0)
  await new LastTime(file, () => 5_000).save()
  expect([await setBackAt(2_000), await setBackAt(5_000), await setBackAt(9_000)]).toEqual([3_000, 0, 0])
  for (const damaged of ['', 'rubbish']) {
    writeFileSync(file, damaged)
    expect(await setBackAt(1_000)).toBe(0)
  }
})
