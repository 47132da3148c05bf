import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { INI, useLectern } from '../testing.ts'

const { makeFolder, here } = useLectern()

it('BACKUP-5 lectern backup lists what it saves, with or without the secrets of the configuration', async () => {
  const folder = makeFolder(INI)
  await here.json(folder, ['user', 'add', 'anna'])
  const saved = await here.run(folder, ['backup', join(folder, 'with')])
  expect(saved.stdout).toMatch(
    /^Saved in .*with: 2 databases, 0 files \(.*\), the configuration with its secrets\.\n$/,
  )
  expect(readdirSync(join(folder, 'with'))).toContain('lectern.ini')
  await here.json(folder, ['backup', join(folder, 'without'), '--no-config-file'])
  expect(readdirSync(join(folder, 'without'))).not.toContain('lectern.ini')
})
